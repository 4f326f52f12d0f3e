/* report.cpp - findings: equal ones are counted, the first of them is described. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

const char *tally_model_check_name(model_check check)
{
    switch (check) {
    case MODEL_BARRIER: return "barrier";
    case MODEL_EXCHANGE: return "exchange";
    case MODEL_RACE: return "race";
    case MODEL_UNWRITTEN: return "unwritten";
    case MODEL_BOUNDS: return "bounds";
    case MODEL_COVERAGE: return "coverage";
    default: return nullptr;
    }
}

/* The report of an equal finding, or NULL. */
static model_report *find_equal(model_result *result, model_check check, const char *kernel,
                                simt_place at)
{
    for (size_t i = 0; i < result->n_reports; i++) {
        model_report *r = &result->report[i];
        if (r->check == check && r->line == at.line && strcmp(r->file, at.file) == 0 &&
            strcmp(r->kernel, kernel) == 0) {
            return r;
        }
    }
    return nullptr;
}

void tally_simt_report(simt_machine *m, model_check check, uint32_t lane, simt_place at,
                       uint32_t arrived, uint32_t expected, const char *format, ...)
{
    model_result *result = m->result;
    model_report *r = find_equal(result, check, m->launch->kernel, at);
    result->n_findings++;
    if (r) {
        r->n++;
        return;
    }
    if (result->n_reports == MODEL_REPORTS) {
        return;
    }
    r = &result->report[result->n_reports++];
    r->check = check;
    r->n = 1;
    r->kernel = m->launch->kernel;
    r->file = at.file;
    r->line = at.line;
    r->stage = m->launch->stage;
    r->block = m->block;
    r->lane = lane;
    r->arrived = arrived;
    r->expected = expected;

    int begun = snprintf(r->text, sizeof r->text,
                         "block %llu: ", static_cast<unsigned long long>(m->block));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->text + begun, sizeof r->text - static_cast<size_t>(begun), format, arguments);
    va_end(arguments);
}
