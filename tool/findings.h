/*
 * findings.h - what the model found, for people and as JSON.
 */
#ifndef TALLY_FINDINGS_H
#define TALLY_FINDINGS_H

#include "model/model.h"

/* One line on stderr for each report. */
void findings_print(const model_result *result);

/* The member "reports" of the JSON object at hand. */
void findings_json(const model_result *result);

#endif
