/*
 * float_environment.h - the default floating-point environment for a while: to nearest, subnormals
 * kept, no traps; then the caller's again, exception flags included.
 *
 * Exact results need none of this (they are computed in integers); the tree's arithmetic does.
 */
#ifndef TALLY_FLOAT_ENVIRONMENT_H
#define TALLY_FLOAT_ENVIRONMENT_H

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif
#include <stdint.h>

typedef struct float_environment {
#if defined(__x86_64__)
    uint32_t mxcsr; /* rounding, flushing, masks and flags */
#elif defined(__aarch64__)
    uint64_t fpcr, fpsr;
#else
    fenv_t fenv;
#endif
} float_environment;

/* Neither is inlined: a compiler might move arithmetic across what it does not know to change it.
 */
void tally_float_environment_enter(float_environment *saved);
void tally_float_environment_leave(const float_environment *saved);

#endif
