/*
 * findings.c - lays the model's reports out.
 */
#include "findings.h"

#include <inttypes.h>

#include "on_model.h"
#include "output.h"

void findings_print(const model_result *result)
{
    for (size_t i = 0; i < result->n_reports; i++) {
        const model_report *r = &result->report[i];
        output_message("model, %s: %s (%s, %s:%d, %" PRIu64 " in all)", on_model_check(r->check),
                       r->text, r->kernel, r->file, r->line, r->n);
    }
}

static void json_finding(const model_report *r)
{
    json_open_object(NULL);
    json_text("check", on_model_check(r->check));
    json_text("text", r->text);
    json_text("kernel", r->kernel);
    json_text("file", r->file);
    json_count("line", (uint64_t)r->line);
    json_count("stage", r->stage);
    json_count("block", r->block);
    json_count("lane", r->lane);
    if (r->check == MODEL_BARRIER) {
        json_count("arrived", r->arrived);
        json_count("expected", r->expected);
    }
    json_count("times", r->n);
    json_close_object();
}

void findings_json(const model_result *result)
{
    json_open_array("reports");
    for (size_t i = 0; i < result->n_reports; i++)
        json_finding(&result->report[i]);
    json_close_array();
}
