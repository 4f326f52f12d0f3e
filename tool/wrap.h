/*
 * wrap.h - prose laid out for a terminal of 80 columns, English and Chinese.
 */
#ifndef TALLY_WRAP_H
#define TALLY_WRAP_H

#include <stdio.h>

/* Prints text broken at blanks, or between wide characters, from the given column on, where the
 * cursor already is; and a newline. */
void wrap_text(FILE *to, const char *text, int column);

#endif
