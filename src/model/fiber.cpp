/* fiber.cpp - making fibers and switching between them, with the sanitizers' knowledge. */
#include "fiber.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN
#endif
#if __has_feature(thread_sanitizer)
#define FIBER_TSAN
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define FIBER_ASAN
#endif
#ifdef __SANITIZE_THREAD__
#define FIBER_TSAN
#endif

#ifdef FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if defined(FIBER_ASAN) || defined(FIBER_TSAN)
static const size_t stack_bytes = 256 << 10; /* instrumented frames are large */
#else
static const size_t stack_bytes = 64 << 10;
#endif

static void begin(fiber *f)
{
#ifdef FIBER_ASAN
    const void *stack;
    __sanitizer_finish_switch_fiber(nullptr, &stack, &f->opener->nbytes);
    f->opener->stack = const_cast<void *>(stack);
#endif
    f->run(f->argument);
}

#ifndef TALLY_FIBER_UCONTEXT

extern "C" void tally_fiber_jump(void **from, void *to);
extern "C" void tally_fiber_entry(void);

/* The registers that a call keeps, on the stack; the rest is the caller's by the ABI. MXCSR and the
 * x87 control word belong to the thread. */
__asm__(".pushsection .text\n"
        ".p2align 4\n"
        ".globl tally_fiber_jump\n"
        ".hidden tally_fiber_jump\n"
        ".type tally_fiber_jump, @function\n"
        "tally_fiber_jump:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size tally_fiber_jump, . - tally_fiber_jump\n"
        ".globl tally_fiber_entry\n"
        ".hidden tally_fiber_entry\n"
        ".type tally_fiber_entry, @function\n"
        "tally_fiber_entry:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined rip\n" /* the outermost frame, for debuggers */
        "    movq %r12, %rdi\n"
        "    callq *%r13\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size tally_fiber_entry, . - tally_fiber_entry\n"
        ".popsection\n");

static void prepare(fiber *f)
{
    /* What tally_fiber_jump() pops: r15, r14, r13, r12, rbx, rbp, then where it returns to. After
     * that the stack is aligned to 16 bytes, as it has to be before a call. */
    void *frame[8] = {nullptr,
                      nullptr,
                      reinterpret_cast<void *>(begin),
                      f,
                      nullptr,
                      nullptr,
                      reinterpret_cast<void *>(tally_fiber_entry),
                      nullptr};
    unsigned char *top = static_cast<unsigned char *>(f->stack) + f->nbytes - sizeof frame - 8;
    memcpy(top, frame, sizeof frame);
    f->stack_pointer = top;
}

static void jump(fiber *from, fiber *to)
{
    tally_fiber_jump(&from->stack_pointer, to->stack_pointer);
}

#else

/* makecontext() passes ints only. */
static void begin_context(unsigned high, unsigned low)
{
    begin(
        reinterpret_cast<fiber *>(static_cast<uintptr_t>(static_cast<uint64_t>(high) << 32 | low)));
}

static void prepare(fiber *f)
{
    const uint64_t self = reinterpret_cast<uintptr_t>(f);
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = f->nbytes;
    f->context.uc_link = nullptr;
    makecontext(&f->context, reinterpret_cast<void (*)(void)>(begin_context), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

static void jump(fiber *from, fiber *to)
{
    swapcontext(&from->context, &to->context);
}

#endif

void tally_fiber_adopt(fiber *self)
{
    memset(static_cast<void *>(self), 0, sizeof *self);
#ifdef FIBER_TSAN
    self->announced = __tsan_get_current_fiber();
#endif
}

void tally_fiber_init(fiber *f, fiber *opener, void *stack, size_t nbytes, void (*run)(void *),
                      void *argument)
{
    memset(static_cast<void *>(f), 0, sizeof *f);
    f->stack = stack;
    f->nbytes = nbytes;
    f->run = run;
    f->argument = argument;
    f->opener = opener;
#ifdef FIBER_TSAN
    f->announced = __tsan_create_fiber(0);
#endif
    prepare(f);
}

void tally_fiber_switch(fiber *from, fiber *to)
{
#ifdef FIBER_ASAN
    __sanitizer_start_switch_fiber(&from->fake, to->stack, to->nbytes);
#endif
#ifdef FIBER_TSAN
    __tsan_switch_to_fiber(to->announced, 0);
#endif
    jump(from, to);
#ifdef FIBER_ASAN
    __sanitizer_finish_switch_fiber(from->fake, nullptr, nullptr);
#endif
}

void tally_fiber_drop(fiber *f)
{
#ifdef FIBER_ASAN
    __asan_unpoison_memory_region(f->stack, f->nbytes);
#endif
#ifdef FIBER_TSAN
    __tsan_destroy_fiber(f->announced);
#endif
    f->stack = nullptr;
}

void *tally_fiber_stacks(size_t n, size_t *nbytes)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t each = stack_bytes + page;
    void *stacks =
        mmap(nullptr, n * each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stacks == MAP_FAILED) {
        return nullptr;
    }
    for (size_t i = 0; i < n; i++) {
        if (mprotect(static_cast<unsigned char *>(stacks) + i * each, page, PROT_NONE) != 0) {
            munmap(stacks, n * each);
            return nullptr;
        }
    }
    *nbytes = each;
    return stacks;
}

void tally_fiber_unmap(void *stacks, size_t n, size_t nbytes)
{
    munmap(stacks, n * nbytes);
}
