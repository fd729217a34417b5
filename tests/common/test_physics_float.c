/* The same as test_physics.c, with the guesses that a GPU makes in floats. */
/* tests: common/model */
/* build: optimized */
#define SCIARA_APPROX_FLOAT
/* run: plain */
#include "test_physics.c" /* NOLINT(bugprone-suspicious-include) */
