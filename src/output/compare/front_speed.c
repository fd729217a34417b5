#include "front_speed.h"

/* The neighbour to which lava came first, if that was before it came here; else `place`. */
static size_t came_from(const struct fields *f, size_t place)
{
    const int cols = f->window.cols, row = (int)(place / (size_t)cols),
              col = (int)(place % (size_t)cols);
    size_t best = place;
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = col - 1; c <= col + 1; c++) {
            if (r < 0 || c < 0 || r >= f->window.rows || c >= cols) continue;
            const size_t i = (size_t)r * (size_t)cols + (size_t)c;
            if (f->arrival[i] < f->arrival[best]) best = i;
        }
    return best;
}

/* On the way back arrivals fall: it ends. `last`: the arrivals of the latest FRONT_CELLS cells and
 * of the one before. */
struct front_speed front_speed(const struct fields *f, size_t place)
{
    struct front_speed s = {0};
    int32_t last[FRONT_CELLS + 1] = {0};
    size_t counted = 0; /* cells of the way up to here that have been seen to be at the limit */
    if (f->arrival[place] == ARRIVAL_NEVER) return s;
    for (size_t from;; place = from) {
        last[s.way % (FRONT_CELLS + 1)] = f->arrival[place];
        if (s.way >= FRONT_CELLS &&
            last[(s.way + 1) % (FRONT_CELLS + 1)] - f->arrival[place] <= FRONT_STEPS) {
            const size_t fresh = s.way - counted;
            s.at_limit += fresh < FRONT_CELLS ? fresh : FRONT_CELLS;
            counted = s.way;
        }
        s.way++;
        from = came_from(f, place);
        if (from == place) return s;
    }
}
