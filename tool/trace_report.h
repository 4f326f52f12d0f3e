/*
 * trace_report.h - how a trace begins and ends: which lane takes which elements; results, what the
 * order cost, what a fault did.
 */
#ifndef TALLY_TRACE_REPORT_H
#define TALLY_TRACE_REPORT_H

#include "tracing.h"

void trace_print_coverage(const tracing *t);
void trace_print_results(const tracing *t);
void trace_print_fault(const tracing *t);
/* The table of faults, for --fault list. */
void trace_print_faults(bool zh);

#endif
