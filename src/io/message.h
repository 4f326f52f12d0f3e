/*
 * message.h - what the readers say to people: "FILE: what is wrong, what to do", on one line.
 */
#ifndef TALLY_MESSAGE_H
#define TALLY_MESSAGE_H

#include "reader.h"

#if defined(__GNUC__)
#define MESSAGE_FORMAT(string, first) __attribute__((format(printf, string, first)))
#else
#define MESSAGE_FORMAT(string, first)
#endif

/* Sets error->text to "name: " and the formatted rest; what does not fit is cut off. */
void message_set(reader_error *error, const char *name, const char *format, ...)
    MESSAGE_FORMAT(3, 4);

/* The same for text: "name:line:column: ". */
void message_at(reader_error *error, const char *name, uint64_t line, uint64_t column,
                const char *format, ...) MESSAGE_FORMAT(5, 6);

/* Room for what message_quote() writes: at most four characters a byte, "..." and the NUL. */
#define MESSAGE_QUOTE_BYTES(clip) (4 * (clip) + 4)

/*
 * Writes bytes so that they can be shown on a terminal: control bytes and what is not UTF-8 as \r,
 * \n, \t, \0, \xNN, the rest as it is; "..." after about clip bytes if there are more. to needs
 * MESSAGE_QUOTE_BYTES(clip) bytes.
 */
void message_quote(char *to, const void *bytes, size_t nbytes, size_t clip);

#endif
