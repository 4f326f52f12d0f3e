/*
 * output.h - what the command writes: values and JSON to stdout, messages to stderr.
 *
 * JSON is built from "fields": each writes its name, after a comma unless it is the first.
 */
#ifndef TALLY_OUTPUT_H
#define TALLY_OUTPUT_H

#include <stdbool.h>

#include "total.h"

/* The value alone: shortest digits; true and false for a bool. */
void output_value(const total_result *result);

void json_open(void);
void json_close(void); /* and the newline */
void json_text(const char *name, const char *text);
void json_texts(const char *name, char *const *texts, size_t n);
void json_flag(const char *name, bool flag);
void json_null(const char *name);
/* A number that is text already; a string if it is not finite. */
void json_number(const char *name, const char *text);
void json_count(const char *name, uint64_t n);
void json_seconds(const char *name, double seconds);
/* "value" (non-finite ones as strings), "bits" and "type"; null for NULL. */
void json_result(const total_result *result);
/* "name": { ... } around the fields that follow, and "name": [ ... ] around elements: fields whose
 * name is NULL. */
void json_open_object(const char *name);
void json_close_object(void);
void json_open_array(const char *name);
void json_close_array(void);
/* "plan": { ... } of a resolved plan */
void json_plan(const tally_plan *plan);

/* Sends off what was written so far; on failure says so on stderr and gives false. */
bool output_flush(void);

/* "tally: ..." and a newline on stderr. */
void output_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
