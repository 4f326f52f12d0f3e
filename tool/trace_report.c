/*
 * trace_report.c - the end of a trace as text.
 */
#include "trace_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/number.h"
#include "item_text.h"
#include "on_model.h"
#include "tree.h"
#include "wrap.h"

enum { PARTIALS_SHOWN = 64, FIRST_PARTIALS = 32, LAST_PARTIALS = 4, LABEL = 11, COLUMNS = 79 };

/* ---- partials ---- */

/* Prints one word of a list, on a new line if it does not fit. */
static void list_word(const char *word, int *at)
{
    int length = (int)strlen(word);
    if (*at > LABEL && *at + 1 + length > COLUMNS) {
        printf("\n%*s", LABEL, "");
        *at = LABEL;
    } else if (*at > LABEL) {
        putchar(' ');
        *at += 1;
    }
    fputs(word, stdout);
    *at += length;
}

static void print_partials(const tracing *t)
{
    uint64_t n = t->grid.blocks;
    bool all = n <= PARTIALS_SHOWN;
    char text[ITEM_TEXT_BYTES];
    int at = LABEL;
    if (n == 0)
        return;
    printf("%-*s", LABEL, "partials");
    for (uint64_t i = 0; i < n; i++) {
        if (!all && i == FIRST_PARTIALS) {
            list_word("..", &at);
            i = n - LAST_PARTIALS;
        }
        tracing_text(t, &t->partials[i], text);
        list_word(text, &at);
    }
    putchar('\n');
    if (!all)
        printf("%*s(%" PRIu64 " partials; --json lists them all)\n", LABEL, "", n);
}

/* ---- the value and what the order cost ---- */

static void print_value(const char *label, const tree_number *tree, const char *remark)
{
    char text[NUMBER_TEXT_BYTES];
    number_print(&tree->value, text);
    printf("%-*s%s%s%s\n", LABEL, label, *tree->integer ? tree->integer : text, *remark ? "  " : "",
           remark);
}

/* Three digits, never less than the number. */
static void print_upper(double x)
{
    printf("%.2e", x * 1.005);
}

static void print_thumb(const comparison *c)
{
    if (c->thumb == THUMB_NONE)
        return;
    printf("%-*s|tree - exact| <= 1e-5 |exact| ", LABEL, "1e-5 rule");
    if (c->thumb == THUMB_HOLDS)
        puts("holds");
    else if (c->thumb == THUMB_ZERO)
        puts("is no help: the exact result is 0");
    else
        printf("fails: |exact| is %.1e of sum |x|\n", c->share);
}

static void print_bounds(const comparison *c, bool zh)
{
    if (!c->has_bound)
        return;
    printf("%-*s", LABEL, "bound");
    print_upper(c->bound);
    printf(" (%" PRIu64 " rounding%s deep); ", c->depth, c->depth == 1 ? "" : "s");
    print_upper(c->bound_any);
    puts(" for any order");
    if (c->error > c->bound)
        printf("%*s! %s\n", LABEL, "",
               zh ? "误差更大：舍入解释不了" : "the error is larger: rounding does not explain it");
}

static void print_error(const comparison *c)
{
    if (c->other_element) {
        printf("%-*sanother element\n", LABEL, "error");
        return;
    }
    if (!c->has_ulp) {
        printf("%-*snot comparable: one of the two is NaN\n", LABEL, "error");
        return;
    }
    printf("%-*s", LABEL, "error");
    bool equal = strcmp(c->ulp, "0") == 0;
    if (equal)
        fputs("none: the tree gives the exact result, rounded once", stdout);
    else if (c->exact.value.type >= TALLY_TYPE_F16 && c->exact.value.type <= TALLY_TYPE_F64)
        printf("%s ulp", c->ulp);
    else
        printf("off by %s", c->ulp);
    if (c->has_bound && !equal)
        printf(": %.2e", c->error);
    putchar('\n');
}

void trace_print_results(const tracing *t)
{
    const comparison *c = &t->comparison;
    print_partials(t);
    if (t->plan.final == TALLY_FINAL_ATOMIC && t->grid.blocks > 0)
        printf("%-*sthe partials are added here in block order; a device fixes no order\n", LABEL,
               "atomic");
    if (t->status == TALLY_ERR_OVERFLOW) {
        printf("%-*san integer beyond 128 bits\n", LABEL, "result");
        return;
    }
    if (t->status != TALLY_OK) {
        printf("%-*snone: %s of nothing has no value\n", LABEL, "result", tally_op_name(t->set.op));
        return;
    }
    print_value("result", &t->number,
                *t->number.integer ? "integer" : tally_type_name(t->number.value.type));
    if (c->has_in_order)
        print_value("in order", &c->in_order, "one lane, first to last");
    if (!c->has_exact) {
        printf("%-*snot known: level exact has no %s yet\n", LABEL, "exact",
               tally_op_name(t->set.op));
        return;
    }
    print_value("exact", &c->exact, "");
    print_error(c);
    print_bounds(c, t->zh);
    print_thumb(c);
}

/* ---- faults ---- */

/* What is said around the table's explanations: English, Chinese. */
typedef enum phrase {
    PHRASE_SITUATION,
    PHRASE_WHY,
    PHRASE_REPAIR,
    PHRASE_ON_PURPOSE,
    PHRASE_TRACE,
    PHRASE_WITHOUT,
    PHRASE_POISON,
    PHRASE_ZEROS,
    PHRASE_RIGHT,
    PHRASE_WRONG,
    PHRASE_MODEL_POISON,
    PHRASE_MODEL_ZEROS,
    PHRASE_NO_MODEL,
    PHRASE_NO_FINDING
} phrase;

static const char *say(phrase which, bool zh)
{
    static const char *const phrases[][2] = {
        [PHRASE_SITUATION] = {"What the code does", "情形"},
        [PHRASE_WHY] = {"Why it is wrong", "为什么错"},
        [PHRASE_REPAIR] = {"How to do it right", "如何修正"},
        [PHRASE_ON_PURPOSE] = {"made on purpose", "有意为之"},
        [PHRASE_TRACE] = {"On the trace", "在轨迹上"},
        [PHRASE_WITHOUT] = {"without the fault: ", "没有故障时："},
        [PHRASE_POISON] = {"memory begins as poison: ", "内存初始为毒值："},
        [PHRASE_ZEROS] = {"memory begins as zeros: ", "内存初始为零："},
        [PHRASE_RIGHT] = {", the same: the number does not tell", "，相同：数字看不出错误"},
        [PHRASE_WRONG] = {", wrong", "，错误"},
        [PHRASE_MODEL_POISON] = {"On the model: waves of %d lanes, seed %" PRIu64
                                 ", memory begins as poison\n",
                                 "在模型上：波宽 %d，种子 %" PRIu64 "，内存初始为毒值\n"},
        [PHRASE_MODEL_ZEROS] = {"On the model: waves of %d lanes, seed %" PRIu64
                                ", memory begins as zeros\n",
                                "在模型上：波宽 %d，种子 %" PRIu64 "，内存初始为零\n"},
        [PHRASE_NO_MODEL] = {"not run: this build has no model", "未运行：此构建没有模型"},
        [PHRASE_NO_FINDING] = {"nothing found: with this plan and these elements the fault breaks "
                               "no rule",
                               "没有发现：在这个计划和这些元素下，故障没有违反任何规则"},
    };
    return phrases[which][zh];
}

static void paragraph(const char *label, const char *text)
{
    printf("  %s\n    ", label);
    wrap_text(stdout, text, 4);
}

static void print_explanation(const fault_row *fault, bool zh)
{
    paragraph(say(PHRASE_SITUATION, zh), zh ? fault->zh_situation : fault->situation);
    paragraph(say(PHRASE_WHY, zh), zh ? fault->zh_why : fault->why);
    paragraph(say(PHRASE_REPAIR, zh), zh ? fault->zh_repair : fault->repair);
}

static void print_number(const tracing *t, phrase label, const tally_item *item, const char *remark)
{
    tally_value value;
    char text[ITEM_TEXT_BYTES];
    tally_status status =
        tally_tree_value(t->set.op, t->x.type, t->x.n, item, TALLY_TYPE_DEFAULT, &value);
    if (status == TALLY_OK)
        number_print(&value, text);
    else
        tracing_text(t, item, text);
    printf("    %s%s%s\n", say(label, t->zh), text, remark);
}

static void print_numbers(const tracing *t)
{
    const fault_outcome *o = &t->outcome;
    const char *right = say(PHRASE_RIGHT, t->zh), *wrong = say(PHRASE_WRONG, t->zh);
    printf("  %s\n", say(PHRASE_TRACE, t->zh));
    print_number(t, PHRASE_WITHOUT, &o->clean, "");
    print_number(t, PHRASE_POISON, &o->poisoned, o->poisoned_right ? right : wrong);
    print_number(t, PHRASE_ZEROS, &o->zeroed, o->zeroed_right ? right : wrong);
}

static void print_findings(const tracing *t)
{
    const model_result *m = &t->outcome.model;
    bool ran = t->outcome.model_status == TALLY_OK;
    fputs("  ", stdout);
    printf(say(t->set.zeroed ? PHRASE_MODEL_ZEROS : PHRASE_MODEL_POISON, t->zh),
           t->set.backend.wave == 64 ? 64 : 32, t->set.backend.seed);
    if (!ran || m->n_findings == 0)
        printf("    %s\n", say(ran ? PHRASE_NO_FINDING : PHRASE_NO_MODEL, t->zh));
    for (size_t i = 0; ran && i < m->n_reports; i++) {
        const model_report *r = &m->report[i];
        char text[512];
        snprintf(text, sizeof text, "%s: %s (%s, %s:%d, %" PRIu64 " in all)",
                 on_model_check(r->check), r->text, r->kernel, r->file, r->line, r->n);
        fputs("    ", stdout);
        wrap_text(stdout, text, 6);
    }
}

void trace_print_fault(const tracing *t)
{
    const fault_row *fault = t->set.fault;
    printf("\nfault      %s, %s\n", fault->name, say(PHRASE_ON_PURPOSE, t->zh));
    print_explanation(fault, t->zh);
    print_numbers(t);
    print_findings(t);
}

void trace_print_faults(bool zh)
{
    for (int i = FAULT_NONE + 1; i < FAULTS; i++) {
        const fault_row *fault = &tally_faults[i];
        printf("%s%s (%s)\n", i > FAULT_NONE + 1 ? "\n" : "", fault->name, fault->shapes);
        print_explanation(fault, zh);
    }
}
