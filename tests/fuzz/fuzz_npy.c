/*
 * fuzz_npy.c - .npy files from anywhere: refused, or read to the last of the elements that the
 * header promised, the same whether mapped or read in parts, indexed or not.
 *
 * The first byte chooses a dtype, the second a field and the size of the reads; the rest is the
 * file.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/* What came, independent of its order. */
typedef struct summary {
    bool failed;
    uint64_t n;
    uint64_t bits;    /* the sum of all elements' bits */
    uint64_t indices; /* the sum of all indices */
    char error[sizeof(reader_error)];
} summary;

static uint64_t bits_of(const void *data, size_t size)
{
    uint64_t bits = 0;
    memcpy(&bits, data, size);
    return bits;
}

static void add(summary *s, const reader_piece *piece)
{
    const tally_array *a = &piece->array;
    size_t size = tally_type_size(a->type);
    if (a->n == 0 || size == 0 || piece->wide)
        abort();
    for (size_t i = 0; i < a->n; i++) {
        const char *at = (const char *)a->data + (ptrdiff_t)i * a->stride * (ptrdiff_t)size;
        s->bits += bits_of(at, size);
        s->indices += piece->index + i * piece->step;
    }
    s->n += a->n;
}

static void read_npy(const reader_options *options, const source_tuning *tuning, summary *s)
{
    reader_error error;
    reader_piece piece;
    memset(s, 0, sizeof *s);
    reader *in = reader_open_tuned(options, tuning, NULL, NULL, &error);
    reader_result result = in ? READER_PIECE : READER_ERROR;
    while (in && (result = reader_next(in, &piece, &error)) == READER_PIECE)
        add(s, &piece);
    if (in && result == READER_END && reader_size(in) < reader_bytes(in))
        abort();
    s->failed = result == READER_ERROR;
    if (s->failed) {
        if (memchr(error.text, '\0', sizeof error.text) == NULL || strchr(error.text, '\n'))
            abort();
        memcpy(s->error, error.text, strlen(error.text) + 1);
    }
    reader_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    if (nbytes < 2)
        return 0;
    static const char *const fields[] = {NULL, NULL, "a", "b"};
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data + 2, nbytes - 2) != (ssize_t)(nbytes - 2))
        abort();
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    reader_options options = {.path = path, .format = READER_NPY, .count = UINT64_MAX};
    options.dtype =
        data[0] % 2 ? (tally_type)(data[0] / 2 % (TALLY_TYPE_BOOL + 1)) : TALLY_TYPE_DEFAULT;
    options.field = fields[data[1] % 4];
    summary mapped, parts, indexed;
    source_tuning small = {.chunk = 1 + data[1] / 4 % 7, .read = true};
    read_npy(&options, NULL, &mapped);
    read_npy(&options, &small, &parts);
    options.indexed = true;
    read_npy(&options, NULL, &indexed);
    if (memcmp(&mapped, &parts, sizeof mapped) != 0)
        abort();
    if (mapped.failed != indexed.failed || mapped.n != indexed.n || mapped.bits != indexed.bits ||
        mapped.indices != indexed.indices)
        abort();
    if (!indexed.failed && indexed.n > 0) {
        /* 0 + 1 + ... + (n - 1), modulo 2^64: one of n and n - 1 is even */
        uint64_t n = indexed.n, half = n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1);
        if (indexed.indices != half)
            abort();
    }
    close(fd);
    return 0;
}
