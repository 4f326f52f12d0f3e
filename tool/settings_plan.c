/*
 * settings_plan.c - the options of a plan, of the model and of faults, and where they belong.
 */
#include <string.h>

#include "output.h"
#include "plan.h"
#include "settings.h"

static bool given(const cli *parsed, cli_option_id id)
{
    return parsed->value[id] != NULL;
}

/* Zero asks the library for its default, which nobody who types 0 means: it is made a number that
 * is never legal, so that the library says what is. */
static uint32_t narrow(uint64_t n)
{
    return n == 0 || n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static void put_number(tally_plan *plan, cli_option_id id, uint64_t n)
{
    switch (id) {
    case CLI_BLOCK: plan->block = narrow(n); break;
    case CLI_VECTOR: plan->vector = narrow(n); break;
    case CLI_STAGES: plan->stages = narrow(n); break;
    default: plan->blocks = n == 0 ? UINT64_MAX : n; break;
    }
}

/* Of what is no number at all, the library says what is legal, too. */
static bool read_numbers(const cli *parsed, tally_plan *plan)
{
    static const cli_option_id numbers[] = {CLI_BLOCK, CLI_VECTOR, CLI_STAGES, CLI_BLOCKS};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *text = parsed->value[numbers[i]], *why = "";
        tally_plan none = {.block = 0}, ignored;
        uint64_t n;
        if (!text)
            continue;
        if (settings_parse(text, &n)) {
            put_number(plan, numbers[i], n);
            continue;
        }
        put_number(&none, numbers[i], 0);
        (void)tally_plan_resolve(&none, TALLY_TYPE_F64, 1, &ignored, &why);
        output_message("--%s '%s': %s", cli_options[numbers[i]].name, text, why);
        return false;
    }
    return true;
}

/* The words were checked against the options' lists of choices. */
static void read_words(const cli *parsed, tally_plan *plan)
{
    const char *shape = parsed->value[CLI_SHAPE];
    const char *assign = parsed->value[CLI_ASSIGN];
    const char *final = parsed->value[CLI_FINAL];
    if (shape)
        plan->shape = strcmp(shape, "wave") == 0 ? TALLY_SHAPE_WAVE : TALLY_SHAPE_HALVING;
    if (assign)
        plan->assign =
            strcmp(assign, "contiguous") == 0 ? TALLY_ASSIGN_CONTIGUOUS : TALLY_ASSIGN_GRID_STRIDE;
    if (final)
        plan->final = strcmp(final, "device") == 0 ? TALLY_FINAL_DEVICE
                      : strcmp(final, "host") == 0 ? TALLY_FINAL_HOST
                                                   : TALLY_FINAL_ATOMIC;
}

/* An exact result cannot be changed by a plan: options that only a tree obeys are refused. */
static int check_exact(const cli *parsed, const settings *s)
{
    static const cli_option_id tree_only[] = {CLI_VECTOR, CLI_SHAPE, CLI_ASSIGN,
                                              CLI_STAGES, CLI_FAULT, CLI_ZEROED};
    tally_plan ignored;
    const char *why;
    for (size_t i = 0; i < sizeof tree_only / sizeof *tree_only; i++) {
        if (given(parsed, tree_only[i])) {
            output_message("--%s is for --level tree: no plan changes an exact result",
                           cli_options[tree_only[i]].name);
            return EXIT_USAGE;
        }
    }
    if (s->plan.final == TALLY_FINAL_ATOMIC) {
        output_message("--final atomic is for --level tree: an exact result has no order that "
                       "could vary");
        return EXIT_USAGE;
    }
    if (s->backend.backend == TALLY_BACKEND_MODEL) {
        output_message("--backend model is for --level tree: it runs the tree's kernels");
        return EXIT_USAGE;
    }
    if (s->op > TALLY_OP_ARGMAX) {
        output_message("%s is there at level tree only, so far: tally %s --level tree",
                       parsed->command->name, parsed->command->name);
        return EXIT_USAGE;
    }
    if (tally_plan_resolve(&s->plan, TALLY_TYPE_F64, 1, &ignored, &why) != TALLY_OK) {
        output_message("%s", why);
        return EXIT_USAGE;
    }
    return 0;
}

static int check_tree(const settings *s)
{
    if (s->op == TALLY_OP_MEAN) {
        output_message("a mean has no tree: use --level exact, or divide a sum");
        return EXIT_USAGE;
    }
    if (s->nan == TALLY_NAN_SKIP) {
        output_message("--nan skip is for --level exact: a tree takes every element");
        return EXIT_USAGE;
    }
    return 0;
}

static int read_model(const cli *parsed, settings *s, bool runs_model, const char *how)
{
    static const cli_option_id model_only[] = {CLI_WAVE, CLI_SEED};
    const char *wave = parsed->value[CLI_WAVE], *seed = parsed->value[CLI_SEED];
    for (size_t i = 0; i < sizeof model_only / sizeof *model_only; i++) {
        if (given(parsed, model_only[i]) && !runs_model) {
            output_message("--%s is for the model: %s", cli_options[model_only[i]].name, how);
            return EXIT_USAGE;
        }
    }
    if (given(parsed, CLI_ZEROED) && s->fault->fault == FAULT_NONE) {
        output_message("--zeroed is for --fault: right code writes shared memory before it reads "
                       "it");
        return EXIT_USAGE;
    }
    if (wave)
        s->backend.wave = strcmp(wave, "64") == 0 ? 64 : 32;
    if (seed && !settings_count("--seed", seed, &s->backend.seed))
        return EXIT_USAGE;
    s->zeroed = given(parsed, CLI_ZEROED);
    return 0;
}

static int read_fault(const cli *parsed, settings *s)
{
    const char *name = parsed->value[CLI_FAULT];
    s->fault = &tally_faults[FAULT_NONE];
    if (!name)
        return 0;
    if (s->level == TALLY_LEVEL_TREE && parsed->command->kind == CLI_REDUCE &&
        s->backend.backend != TALLY_BACKEND_MODEL) {
        output_message("--fault is made on the model only, never on a real backend: add --backend "
                       "model, or see it with tally trace");
        return EXIT_USAGE;
    }
    s->fault = tally_fault_find(name);
    if (!s->fault) {
        output_message("--fault '%s' is no fault; 'tally trace --fault list' names them", name);
        return EXIT_USAGE;
    }
    return 0;
}

/* A fault that is seen on one shape or assignment only brings it along, unless another was asked
 * for. */
static void fit_fault(settings *s)
{
    if (s->fault->fault == FAULT_NONE)
        return;
    bool narrow_block = s->plan.block > 0 && s->plan.block <= PLAN_GROUP;
    if (s->plan.shape == TALLY_SHAPE_DEFAULT &&
        (!strstr(s->fault->shapes, "wave") ||
         (s->fault->fault == FAULT_NO_BARRIER && narrow_block))) /* one group needs no barrier */
        s->plan.shape = TALLY_SHAPE_HALVING;
    if (s->plan.assign == TALLY_ASSIGN_DEFAULT && s->fault->fault == FAULT_FLOOR_BLOCKS)
        s->plan.assign = TALLY_ASSIGN_CONTIGUOUS;
}

bool settings_resolve(const settings *s, const tally_array *x, tally_plan *plan)
{
    const char *why = NULL;
    if (tally_plan_resolve(&s->plan, x->type, x->n, plan, &why) == TALLY_OK)
        why = tally_fault_misfit(s->fault->fault, plan, s->backend.wave);
    if (why)
        output_message("%s", why);
    return !why;
}

int settings_read_plan(const cli *parsed, settings *s)
{
    const char *level = parsed->value[CLI_LEVEL];
    bool trace = parsed->command->kind == CLI_TRACE;
    if (trace || (level && strcmp(level, "tree") == 0))
        s->level = TALLY_LEVEL_TREE;
    read_words(parsed, &s->plan);
    if (!read_numbers(parsed, &s->plan))
        return EXIT_USAGE;
    int code = s->level == TALLY_LEVEL_EXACT ? check_exact(parsed, s) : check_tree(s);
    if (code == 0)
        code = read_fault(parsed, s);
    if (code == 0 && trace)
        code = read_model(parsed, s, given(parsed, CLI_FAULT), "add --fault, which runs it too");
    else if (code == 0)
        code =
            read_model(parsed, s, s->backend.backend == TALLY_BACKEND_MODEL, "add --backend model");
    if (code == 0)
        fit_fault(s);
    /* every element keeps its place: what is next to what decides a tree's bits */
    s->reader.indexed |= s->level == TALLY_LEVEL_TREE;
    return code;
}
