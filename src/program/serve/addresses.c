#define _DEFAULT_SOURCE /* getifaddrs() */
/* addresses.c — the addresses of the page for a browser. */
#include "http.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static void put_address(char address[HTTP_ADDRESS], const char *at, int port, const char *key)
{
    const bool six = strchr(at, ':') != NULL;
    snprintf(address, HTTP_ADDRESS, "http://%s%.100s%s:%d/?key=%s", six ? "[" : "", at,
             six ? "]" : "", port, key);
}

/* Writes the address of an interface as text. False: the interface has no address that another machine can open. */
static bool read_address(const struct ifaddrs *i, int family, char text[INET6_ADDRSTRLEN])
{
    if (!i->ifa_addr || i->ifa_addr->sa_family != family || (i->ifa_flags & IFF_LOOPBACK))
        return false;
    const void *where = i->ifa_addr;
    const struct in_addr *four = &((const struct sockaddr_in *)where)->sin_addr;
    const struct in6_addr *six = &((const struct sockaddr_in6 *)where)->sin6_addr;
    if (family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(six))
        return false; /* a link-local address is valid only with the name of its interface */
    return inet_ntop(family, family == AF_INET ? (const void *)four : six, text, INET6_ADDRSTRLEN);
}

/* A browser can open neither 0.0.0.0 nor ::, which stand for all addresses of this machine. So http_addresses() then
 * lists the addresses of this machine. */
int http_addresses(const char *listened, int port, const char *key, char address[][HTTP_ADDRESS],
                   int most)
{
    const bool four = !strcmp(listened, "0.0.0.0"), six = !strcmp(listened, "::");
    char text[INET6_ADDRSTRLEN];
    struct ifaddrs *all = NULL;
    int count = 0;
    put_address(address[count++], four ? "127.0.0.1" : six ? "::1" : listened, port, key);
    if ((!four && !six) || getifaddrs(&all)) return count;
    for (const struct ifaddrs *i = all; i && count < most; i = i->ifa_next)
        if (read_address(i, six ? AF_INET6 : AF_INET, text))
            put_address(address[count++], text, port, key);
    freeifaddrs(all);
    return count;
}
