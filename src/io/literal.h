/*
 * literal.h - the few Python literals that .npy headers are made of, read from bytes without
 * trusting them. Every function skips white space first, and on failure leaves a message.
 */
#ifndef TALLY_LITERAL_H
#define TALLY_LITERAL_H

#include "reader.h"

/* Strings are read into this: UTF-8 and a NUL. */
enum { LITERAL_STRING_BYTES = 4096 };

typedef struct literal {
    const unsigned char *start, *at, *end;
    size_t offset;    /* of start in the file, for messages */
    bool latin1;      /* how bytes from 0x80 up are to be read: else UTF-8, as it is */
    const char *name; /* of the file */
    reader_error *error;
} literal;

/* Sets the message "damaged .npy header: WHAT at byte N" and gives false. */
bool literal_fail(literal *l, const char *what);

/* Is the next byte c? Takes it if so. Never fails. */
bool literal_accept(literal *l, char c);
/* Is the next byte c? Takes nothing. */
bool literal_sees(literal *l, char c);
/* As literal_accept(), but anything else is an error. */
bool literal_expect(literal *l, char c);
/* 'text' or "text", with Python's escapes. A NUL in it is refused. */
bool literal_string(literal *l, char text[LITERAL_STRING_BYTES]);
/* A non-negative integer; Python 2's L behind it is taken. */
bool literal_unsigned(literal *l, uint64_t *value);
/* True or False. */
bool literal_bool(literal *l, bool *value);
/* Nothing but white space may follow. */
bool literal_finish(literal *l);

#endif
