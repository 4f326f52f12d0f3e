/*
 * source.c - files by mapped windows, pipes by read().
 *
 * A window is unmapped before the next is mapped, so that resident memory stays near one window. A
 * file that was cut short since it was opened is noticed before each window.
 */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64

#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

static const size_t default_window = (size_t)64 << 20;
static const size_t default_chunk = (size_t)256 << 10;

struct source {
    const char *name;
    source_tuning tuning;
    int fd;
    bool mapped;       /* by windows; else by read() */
    uint64_t base;     /* offset in the file of our first byte: stdin may stand further on */
    uint64_t size;     /* from there; UINT64_MAX if not known */
    uint64_t position; /* consumed, from there */

    unsigned char *window;
    size_t window_bytes;
    uint64_t window_at; /* offset in the file */

    unsigned char *buffer;
    size_t capacity;
    size_t first, last; /* the bytes read and not consumed */
    bool ended;
};

static bool system_error(const source *s, reader_error *error, const char *doing)
{
    message_set(error, s->name, "%s: %s", doing, strerror(errno));
    return false;
}

static bool look_at_file(source *s, reader_error *error)
{
    struct stat about;
    if (fstat(s->fd, &about) != 0)
        return system_error(s, error, "cannot be examined");
    if (S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        return system_error(s, error, "cannot be read");
    }
    /* Files in /proc say 0 and have content: only read() tells. */
    if (!S_ISREG(about.st_mode) || about.st_size == 0)
        return true;
    off_t at = lseek(s->fd, 0, SEEK_CUR);
    if (at < 0)
        return true;
    s->base = (uint64_t)at;
    s->size = at < about.st_size ? (uint64_t)(about.st_size - at) : 0;
    /* Some file systems cannot map: their files are read. */
    void *probe = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, s->fd, 0);
    s->mapped = probe != MAP_FAILED && !s->tuning.read;
    if (probe != MAP_FAILED)
        munmap(probe, 1);
    return true;
}

source *source_open(const char *path, const char *name, const source_tuning *tuning,
                    reader_error *error)
{
    source *s = calloc(1, sizeof *s);
    if (!s) {
        message_set(error, name, "out of memory");
        return NULL;
    }
    s->name = name;
    s->size = UINT64_MAX;
    if (tuning)
        s->tuning = *tuning;
    if (s->tuning.window == 0)
        s->tuning.window = default_window;
    if (s->tuning.chunk == 0)
        s->tuning.chunk = default_chunk;
    s->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        system_error(s, error, "cannot be opened");
    else if (look_at_file(s, error))
        return s;
    source_close(s);
    return NULL;
}

static void unmap(source *s)
{
    if (s->window)
        munmap(s->window, s->window_bytes);
    s->window = NULL;
}

void source_close(source *s)
{
    if (!s)
        return;
    unmap(s);
    free(s->buffer);
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    free(s);
}

static bool shrunk(const source *s, uint64_t now, reader_error *error)
{
    message_set(error, s->name,
                "was cut short while it was read: expected %" PRIu64 " bytes, found %" PRIu64,
                s->base + s->size, now);
    return false;
}

/* Maps a window with at least want bytes from the position on, which the file has. */
static bool map_window(source *s, size_t want, reader_error *error)
{
    struct stat about;
    if (fstat(s->fd, &about) != 0)
        return system_error(s, error, "cannot be examined");
    if ((uint64_t)about.st_size < s->base + s->size)
        return shrunk(s, (uint64_t)about.st_size, error);
    unmap(s);
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t at = s->base + s->position;
    uint64_t start = at - at % page;
    uint64_t length = s->base + s->size - start;
    /* Twice what does not fit: a field that outgrows its window is not mapped page by page. */
    uint64_t most =
        at - start + want > s->tuning.window ? 2 * (at - start + (uint64_t)want) : s->tuning.window;
    if (length > most)
        length = most;
    void *window = mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, s->fd, (off_t)start);
    if (window == MAP_FAILED)
        return system_error(s, error, "cannot be mapped");
    s->window = window;
    s->window_bytes = (size_t)length;
    s->window_at = start;
    return true;
}

static bool peek_mapped(source *s, size_t want, source_view *view, reader_error *error)
{
    uint64_t left = s->size - s->position;
    if (want > left)
        want = (size_t)left;
    if (left == 0) {
        *view = (source_view){(const unsigned char *)"", 0};
        return true;
    }
    uint64_t at = s->base + s->position;
    bool inside = s->window && at >= s->window_at && at < s->window_at + s->window_bytes &&
                  want <= s->window_at + s->window_bytes - at;
    if (!inside && !map_window(s, want ? want : 1, error))
        return false;
    size_t from = (size_t)(at - s->window_at);
    *view = (source_view){s->window + from, s->window_bytes - from};
    return true;
}

/* Makes room for at least one more byte behind what the buffer holds. */
static bool make_room(source *s, reader_error *error)
{
    if (s->last < s->capacity)
        return true;
    if (s->first > 0) {
        memmove(s->buffer, s->buffer + s->first, s->last - s->first);
        s->last -= s->first;
        s->first = 0;
        return true;
    }
    size_t capacity = s->capacity ? 2 * s->capacity : s->tuning.chunk;
    unsigned char *buffer = realloc(s->buffer, capacity);
    if (!buffer) {
        message_set(error, s->name, "out of memory");
        return false;
    }
    s->buffer = buffer;
    s->capacity = capacity;
    return true;
}

static bool peek_read(source *s, size_t want, source_view *view, reader_error *error)
{
    while (s->last - s->first < want && !s->ended) {
        if (s->first == s->last)
            s->first = s->last = 0;
        if (!make_room(s, error))
            return false;
        size_t room = s->capacity - s->last;
        ssize_t got =
            read(s->fd, s->buffer + s->last, room < s->tuning.chunk ? room : s->tuning.chunk);
        if (got < 0 && errno != EINTR)
            return system_error(s, error, "cannot be read");
        if (got > 0)
            s->last += (size_t)got;
        s->ended = got == 0;
    }
    uint64_t found = s->position + (s->last - s->first);
    if (s->ended && s->size != UINT64_MAX && found < s->size)
        return shrunk(s, s->base + found, error);
    *view = (source_view){s->buffer ? s->buffer + s->first : (const unsigned char *)"",
                          s->last - s->first};
    return true;
}

bool source_peek(source *s, size_t want, source_view *view, reader_error *error)
{
    return s->mapped ? peek_mapped(s, want, view, error) : peek_read(s, want, view, error);
}

void source_consume(source *s, size_t nbytes)
{
    s->position += nbytes;
    if (!s->mapped)
        s->first += nbytes;
}

bool source_skip(source *s, uint64_t nbytes, uint64_t *skipped, reader_error *error)
{
    *skipped = 0;
    if (s->mapped) {
        uint64_t left = s->size - s->position;
        *skipped = nbytes < left ? nbytes : left;
        s->position += *skipped;
        return true;
    }
    while (*skipped < nbytes) {
        source_view view;
        if (!source_peek(s, 1, &view, error))
            return false;
        if (view.n == 0)
            break;
        uint64_t step = nbytes - *skipped < view.n ? nbytes - *skipped : view.n;
        source_consume(s, (size_t)step);
        *skipped += step;
    }
    return true;
}

uint64_t source_position(const source *s)
{
    return s->position;
}

uint64_t source_size(const source *s)
{
    return s->size;
}
