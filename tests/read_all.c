/*
 * read_all.c - see read_all.h.
 */
#define _DEFAULT_SOURCE
#include "read_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    abort();
}

reader_options plain_options(void)
{
    return (reader_options){.count = UINT64_MAX};
}

char *make_file(const void *bytes, size_t nbytes, const char *suffix)
{
    const char *directory = getenv("TMPDIR");
    char *path = malloc(4096);
    if (!path)
        fail("malloc");
    snprintf(path, 4096, "%s/tally-test-XXXXXX%s", directory ? directory : "/tmp", suffix);
    int fd = mkstemps(path, (int)strlen(suffix));
    if (fd < 0)
        fail(path);
    const char *from = bytes;
    while (nbytes > 0) {
        ssize_t wrote = write(fd, from, nbytes);
        if (wrote < 0)
            fail("write");
        from += wrote;
        nbytes -= (size_t)wrote;
    }
    if (close(fd) != 0)
        fail("close");
    return path;
}

double element_number(const element *e)
{
    switch (e->type) {
    case TALLY_TYPE_F64: return e->as.f64;
    case TALLY_TYPE_F32: return (double)e->as.f32;
    case TALLY_TYPE_I8:
    case TALLY_TYPE_I16:
    case TALLY_TYPE_I32:
    case TALLY_TYPE_I64: return (double)e->as.i64;
    default: return (double)e->as.u64;
    }
}

double reading_sum(const reading *r)
{
    double sum = 0;
    for (uint64_t i = 0; i < r->n; i++)
        sum += element_number(&r->element[i]);
    return sum;
}

static element get(const tally_array *a, size_t i)
{
    size_t size = tally_type_size(a->type);
    const char *at = (const char *)a->data + (ptrdiff_t)i * a->stride * (ptrdiff_t)size;
    element e = {a->type, {0}};
    int8_t i8;
    int16_t i16;
    int32_t i32;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    switch (a->type) {
    case TALLY_TYPE_I8: memcpy(&i8, at, 1), e.as.i64 = i8; break;
    case TALLY_TYPE_I16: memcpy(&i16, at, 2), e.as.i64 = i16; break;
    case TALLY_TYPE_I32: memcpy(&i32, at, 4), e.as.i64 = i32; break;
    case TALLY_TYPE_BOOL:
    case TALLY_TYPE_U8: memcpy(&u8, at, 1), e.as.u64 = u8; break;
    case TALLY_TYPE_F16:
    case TALLY_TYPE_BF16:
    case TALLY_TYPE_U16: memcpy(&u16, at, 2), e.as.u64 = u16; break;
    case TALLY_TYPE_U32: memcpy(&u32, at, 4), e.as.u64 = u32; break;
    case TALLY_TYPE_F32: memcpy(&e.as.f32, at, 4); break;
    default: memcpy(&e.as, at, 8);
    }
    return e;
}

static void reserve(reading *r, uint64_t n)
{
    if (n <= r->n)
        return;
    if (n > UINT64_C(1) << 24) {
        r->wrong = true; /* no test reads as much: the index is wrong */
        return;
    }
    if (n > r->capacity) {
        r->capacity = 2 * n;
        r->element = realloc(r->element, r->capacity * sizeof *r->element);
        if (!r->element)
            fail("realloc");
    }
    memset(r->element + r->n, 0, (n - r->n) * sizeof *r->element);
    r->n = n;
}

static void take(reading *r, const reader_piece *piece)
{
    r->n_pieces++;
    if (piece->wide) {
        r->n_wide++;
        snprintf(r->wide, sizeof r->wide, "%.*s",
                 piece->wide_length < 60 ? (int)piece->wide_length : 60, piece->wide);
        r->wrong |= piece->array.n != 0;
        reserve(r, piece->index + 1);
        return;
    }
    r->wrong |= piece->array.n == 0;
    for (size_t i = 0; i < piece->array.n; i++) {
        uint64_t at = piece->index + i * piece->step;
        reserve(r, at + 1);
        if (at >= r->n)
            return;
        r->wrong |= r->element[at].type != TALLY_TYPE_DEFAULT;
        r->element[at] = get(&piece->array, i);
    }
}

static void warn(void *user, const char *text)
{
    reading *r = user;
    r->n_warnings++;
    snprintf(r->warning, sizeof r->warning, "%s", text);
}

void read_path(reading *r, const reader_options *options, const source_tuning *tuning)
{
    memset(r, 0, sizeof *r);
    reader_error error;
    reader *in = reader_open_tuned(options, tuning, warn, r, &error);
    reader_result result = in ? READER_PIECE : READER_ERROR;
    reader_piece piece;
    while (in && (result = reader_next(in, &piece, &error)) == READER_PIECE)
        take(r, &piece);
    if (result == READER_ERROR) {
        r->failed = true;
        memcpy(r->error, error.text, sizeof r->error);
    } else if (reader_next(in, &piece, &error) != READER_END) {
        r->wrong = true; /* the end has to stay the end */
    }
    reader_close(in);
}

/* Puts "IN" in place of the path. */
static void hide(char *text, const char *path)
{
    char *found = strstr(text, path);
    if (!found || found != text)
        return;
    size_t length = strlen(path);
    memcpy(text, "IN", 2);
    memmove(text + 2, text + length, strlen(text + length) + 1);
}

static void through_pipe(reading *r, const char *bytes, size_t nbytes,
                         const reader_options *options)
{
    int ends[2];
    if (pipe(ends) != 0)
        fail("pipe");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        close(ends[0]);
        for (size_t i = 0; i < nbytes; i++)
            if (write(ends[1], bytes + i, 1) != 1)
                break;
        _exit(0);
    }
    close(ends[1]);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    reader_options with_path = *options;
    with_path.path = path;
    read_path(r, &with_path, NULL);
    close(ends[0]);
    waitpid(child, NULL, 0);
    hide(r->error, path);
    hide(r->warning, path);
}

void read_bytes(reading *r, const void *bytes, size_t nbytes, route way, const char *suffix,
                const reader_options *options)
{
    if (way == ROUTE_PIPE) {
        through_pipe(r, bytes, nbytes, options);
        return;
    }
    char *path = make_file(bytes, nbytes, suffix);
    reader_options with_path = *options;
    with_path.path = path;
    source_tuning tuning = {0};
    if (way == ROUTE_FILE_SMALL)
        tuning.window = 1;
    if (way == ROUTE_READ) {
        tuning.read = true;
        tuning.chunk = 3;
    }
    read_path(r, &with_path, &tuning);
    hide(r->error, path);
    hide(r->warning, path);
    unlink(path);
    free(path);
}

void reading_free(reading *r)
{
    free(r->element);
    memset(r, 0, sizeof *r);
}
