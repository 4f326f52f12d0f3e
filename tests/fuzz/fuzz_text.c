/*
 * fuzz_text.c - text from anywhere: what is read, and what is said about it, does not depend on how
 * the bytes arrive.
 *
 * The first byte chooses the separator, the second the size of the reads; the rest is the text. It
 * is read whole from a mapped file and in small reads, and everything that comes is compared.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/formats.h"
#include "io/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/* Everything that a reader hands out, in one string of bytes. */
typedef struct record {
    unsigned char *data;
    size_t n, capacity;
    uint64_t elements;
} record;

static void add(record *r, const void *data, size_t n)
{
    if (r->n + n > r->capacity) {
        r->capacity = 2 * (r->n + n);
        r->data = realloc(r->data, r->capacity);
        if (!r->data)
            abort();
    }
    memcpy(r->data + r->n, data, n);
    r->n += n;
}

static void warn(void *user, const char *text)
{
    add(user, text, strlen(text));
}

static void check_piece(const reader_piece *piece, uint64_t elements)
{
    number value;
    if (piece->index != elements || piece->step != 1)
        abort();
    if (piece->wide && (piece->array.n != 0 ||
                        number_parse(piece->wide, piece->wide_length, &value) != NUMBER_WIDE))
        abort();
    tally_type type = piece->array.type;
    if (!piece->wide &&
        (piece->array.n == 0 || piece->array.stride != 1 ||
         (type != TALLY_TYPE_I64 && type != TALLY_TYPE_U64 && type != TALLY_TYPE_F64)))
        abort();
}

static void read_text(const char *path, char separator, const source_tuning *tuning, record *r)
{
    reader_options options = {
        .path = path, .format = READER_TEXT, .count = UINT64_MAX, .separator = separator};
    reader_error error;
    reader_piece piece;
    memset(r, 0, sizeof *r);
    reader *in = reader_open_tuned(&options, tuning, warn, r, &error);
    reader_result result = in ? READER_PIECE : READER_ERROR;
    while (in && (result = reader_next(in, &piece, &error)) == READER_PIECE) {
        check_piece(&piece, r->elements);
        add(r, &piece.array.type, sizeof piece.array.type);
        if (piece.wide)
            add(r, piece.wide, piece.wide_length);
        else
            add(r, piece.array.data, piece.array.n * 8);
        r->elements += piece.wide ? 1 : piece.array.n;
    }
    if (result == READER_ERROR) {
        if (memchr(error.text, '\0', sizeof error.text) == NULL || strchr(error.text, '\n'))
            abort();
        add(r, error.text, strlen(error.text));
    }
    reader_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    if (nbytes < 2)
        return 0;
    static const char separators[] = {0, ',', '\t', ' ', ';', '|', '1', '\n'};
    char separator = separators[data[0] % sizeof separators];
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data + 2, nbytes - 2) != (ssize_t)(nbytes - 2))
        abort();
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    record whole, parts;
    source_tuning small = {.chunk = 1 + data[1] % 7, .read = true};
    read_text(path, separator, NULL, &whole);
    read_text(path, separator, &small, &parts);
    if (whole.n != parts.n || (whole.n > 0 && memcmp(whole.data, parts.data, whole.n) != 0))
        abort();
    free(whole.data);
    free(parts.data);
    close(fd);
    return 0;
}
