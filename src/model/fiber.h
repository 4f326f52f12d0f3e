/*
 * fiber.h - stacks of our own and switching between them, within one thread.
 *
 * x86-64 ELF has a switch of a dozen instructions; elsewhere it is ucontext's. Sanitizers are told
 * of every switch.
 */
#ifndef TALLY_FIBER_H
#define TALLY_FIBER_H

#include <stddef.h>

#if !defined(TALLY_FIBER_UCONTEXT) &&                                                              \
    !(defined(__x86_64__) && defined(__LP64__) && defined(__ELF__))
#define TALLY_FIBER_UCONTEXT
#endif
#ifdef TALLY_FIBER_UCONTEXT
#include <ucontext.h>
#endif

struct fiber {
    void *stack_pointer; /* while it does not run */
    void *stack;         /* lowest address */
    size_t nbytes;
    void (*run)(void *argument); /* must not return */
    void *argument;
    fiber *opener;   /* who switched to it first */
    void *fake;      /* AddressSanitizer's */
    void *announced; /* ThreadSanitizer's */
#ifdef TALLY_FIBER_UCONTEXT
    ucontext_t context;
#endif
};

extern "C" {

/* The fiber of the calling thread itself: where others switch back to. */
void tally_fiber_adopt(fiber *self);
/* Prepares f to call run(argument) on the stack at its first switch; opener is who will do that. */
void tally_fiber_init(fiber *f, fiber *opener, void *stack, size_t nbytes, void (*run)(void *),
                      void *argument);
/* Leaves "from", which goes on here when somebody switches back to it. */
void tally_fiber_switch(fiber *from, fiber *to);
/* Forgets a fiber that does not run, wherever it is. Its stack may be used again. */
void tally_fiber_drop(fiber *f);

/* Memory for n stacks of *nbytes each (set here), side by side, of which the lowest page cannot be
 * touched; NULL if there is none. */
void *tally_fiber_stacks(size_t n, size_t *nbytes);
void tally_fiber_unmap(void *stacks, size_t n, size_t nbytes);
}

#endif
