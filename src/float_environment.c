/* float_environment.c - saves, replaces and restores the floating-point environment.
 *
 * Where SSE2 or AArch64 does all arithmetic its control register is the whole environment, and libm
 * (where fenv.h's functions are) is not needed. Elsewhere fenv.h has to do. */
#include "float_environment.h"

#if defined(__x86_64__)

#include <xmmintrin.h>

enum { DEFAULT_MXCSR = 0x1f80 }; /* all exceptions masked, all else 0: nearest, no FTZ, no DAZ */

void tally_float_environment_enter(float_environment *saved)
{
    saved->mxcsr = _mm_getcsr();
    _mm_setcsr(DEFAULT_MXCSR);
}

void tally_float_environment_leave(const float_environment *saved)
{
    _mm_setcsr(saved->mxcsr);
}

#elif defined(__aarch64__)

void tally_float_environment_enter(float_environment *saved)
{
    const uint64_t zero = 0; /* FPCR: nearest, no flushing, no default NaN, no traps */
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved->fpcr));
    __asm__ volatile("mrs %0, fpsr" : "=r"(saved->fpsr));
    __asm__ volatile("msr fpcr, %0" : : "r"(zero));
}

void tally_float_environment_leave(const float_environment *saved)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(saved->fpcr));
    __asm__ volatile("msr fpsr, %0" : : "r"(saved->fpsr));
}

#else

void tally_float_environment_enter(float_environment *saved)
{
    fegetenv(&saved->fenv);
    fesetenv(FE_DFL_ENV);
}

void tally_float_environment_leave(const float_environment *saved)
{
    fesetenv(&saved->fenv);
}

#endif
