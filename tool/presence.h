/* presence.h - whether a backend can be used, in words. */
#ifndef TALLY_PRESENCE_H
#define TALLY_PRESENCE_H

#include "tally.h"

/* "here", "compiled only", "not built" */
const char *presence_word(tally_presence presence);

/* One line: the word, and the device or why there is none. */
void presence_line(const tally_backend_info *info, char *text, size_t nbytes);

/* The fields of a backend's JSON object, "status" first. ready: the word for READY. */
void presence_json(const tally_backend_info *info, const char *ready);

#endif
