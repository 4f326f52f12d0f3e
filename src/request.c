/* request.c - the checks that every reduction begins with. */
#include "request.h"

#include <stddef.h>

#include "op.h"

const tally_request *tally_request_or_sum(const tally_request *request)
{
    static const tally_request sum = {.op = TALLY_OP_SUM};
    return request ? request : &sum;
}

const char *tally_request_bad(const tally_request *request, const tally_array *x)
{
    if (!x) {
        return "x is NULL";
    }
    if (!tally_op_find(request->op)) {
        return "request->op is no op";
    }
    if (request->nan != TALLY_NAN_PROPAGATE && request->nan != TALLY_NAN_SKIP) {
        return "request->nan is neither TALLY_NAN_PROPAGATE nor TALLY_NAN_SKIP";
    }
    if (request->level != TALLY_LEVEL_EXACT && request->level != TALLY_LEVEL_TREE) {
        return "request->level is neither TALLY_LEVEL_EXACT nor TALLY_LEVEL_TREE";
    }
    if (request->out != TALLY_TYPE_DEFAULT && !tally_type_find(request->out)) {
        return "request->out is no type";
    }
    if (!tally_type_find(x->type)) {
        return "x->type is no element type";
    }
    if (!x->data && x->n > 0) {
        return "x->data is NULL, but x->n is not 0";
    }
    return NULL;
}
