/* request.h - whether what a caller asks for makes sense. */
#ifndef TALLY_REQUEST_H
#define TALLY_REQUEST_H

#include "tally.h"

/* NULL asks for a plain sum. */
const tally_request *tally_request_or_sum(const tally_request *request);

/* What is wrong with the constants, the plan aside, or with the array; NULL if nothing is. */
const char *tally_request_bad(const tally_request *request, const tally_array *x);

#endif
