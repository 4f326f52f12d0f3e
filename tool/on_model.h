/*
 * on_model.h - the model, past the library's front door: with faults, findings and partials.
 */
#ifndef TALLY_ON_MODEL_H
#define TALLY_ON_MODEL_H

#include "model/model.h"

/* As tally_model_tree(), but BACKEND where this build has no model. */
tally_status on_model_tree(const model_options *options, tally_op op, const tally_plan *plan,
                           const tally_array *x, tally_item *partials, size_t room,
                           model_result *result);

/* As tally_model_check_name(). */
const char *on_model_check(model_check check);

#endif
