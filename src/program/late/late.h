/* late.h — lets sciara start without a foreign library that few commands need. A file such as zip_calls.c defines
 * functions with the names of the foreign functions. The first call of a function opens a library of sciara that is
 * linked with the foreign library. Each call is then passed on to the foreign function. The compiler checks each
 * definition against the header of the foreign library. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

struct late_library {
    const char *name; /* file of the library of sciara, such as libsciara_zip.so */
    const char *use;  /* how the message begins if the library is missing: "archives need" */
    void *_Atomic handle;
};

/* Finds a function, or ends the program with a message, because most of the functions cannot return an error. */
void *late_find(struct late_library *from, const char *name);

/* The address of a function of `from`. Only the first use searches for the function. Several threads may search at the
 * same time, since all find the same address. */
#define FOUND(name)                                                                                \
    ({                                                                                             \
        static _Atomic(__typeof__(&name)) kept;                                                    \
        __typeof__(&name) call = atomic_load_explicit(&kept, memory_order_relaxed);                \
        if (!call)                                                                                 \
            atomic_store_explicit(&kept, call = (__typeof__(&name))late_find(&from, #name),        \
                                  memory_order_relaxed);                                           \
        call;                                                                                      \
    })

/* Functions of `from`: type of the result, name, types of the arguments */
/* clang-format off */
#define CALL0(result, name) \
    result name(void) { return FOUND(name)(); }
#define CALL1(result, name, A) \
    result name(A a) { return FOUND(name)(a); }
#define CALL2(result, name, A, B) \
    result name(A a, B b) { return FOUND(name)(a, b); }
#define CALL3(result, name, A, B, C) \
    result name(A a, B b, C c) { return FOUND(name)(a, b, c); }
#define CALL4(result, name, A, B, C, D) \
    result name(A a, B b, C c, D d) { return FOUND(name)(a, b, c, d); }
#define CALL5(result, name, A, B, C, D, E) \
    result name(A a, B b, C c, D d, E e) { return FOUND(name)(a, b, c, d, e); }
#define CALL6(result, name, A, B, C, D, E, F) \
    result name(A a, B b, C c, D d, E e, F f) { return FOUND(name)(a, b, c, d, e, f); }
#define CALL7(result, name, A, B, C, D, E, F, G) \
    result name(A a, B b, C c, D d, E e, F f, G g) { return FOUND(name)(a, b, c, d, e, f, g); }
#define CALL10(result, name, A, B, C, D, E, F, G, H, I, J) \
    result name(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j) { return FOUND(name)(a, b, c, d, e, f, g, h, i, j); }
#define CALL13(result, name, A, B, C, D, E, F, G, H, I, J, K, L, M) \
    result name(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m) { return FOUND(name)(a, b, c, d, e, f, g, h, i, j, k, l, m); }
/* clang-format on */
