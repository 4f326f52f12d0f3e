/*
 * on_model.c - calls the model if the build has one (TALLY_WITH_MODEL), which takes a C++ compiler.
 */
#include "on_model.h"

#ifdef TALLY_WITH_MODEL

tally_status on_model_tree(const model_options *options, tally_op op, const tally_plan *plan,
                           const tally_array *x, tally_item *partials, size_t room,
                           model_result *result)
{
    return tally_model_tree(options, op, plan, x, partials, room, result);
}

const char *on_model_check(model_check check)
{
    return tally_model_check_name(check);
}

#else

tally_status on_model_tree(const model_options *options, tally_op op, const tally_plan *plan,
                           const tally_array *x, tally_item *partials, size_t room,
                           model_result *result)
{
    (void)options, (void)op, (void)plan, (void)x, (void)partials, (void)room, (void)result;
    return TALLY_ERR_BACKEND;
}

const char *on_model_check(model_check check)
{
    (void)check;
    return "";
}

#endif
