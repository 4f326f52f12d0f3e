/*
 * progress.c - draws one line, again and again, and leaves nothing behind.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "io/message.h"

enum { NAME_CLIP = 60 }; /* bytes of a file's name that the line shows at most */

static const double first_after = 1.0; /* seconds: shorter work needs no bar */
static const double again_after = 0.1;

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, bool quiet)
{
    const char *terminal = getenv("TERM");
    const char *no_colour = getenv("NO_COLOR");
    memset(p, 0, sizeof *p);
    p->begun = progress_clock();
    p->wanted = !quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    p->colour = !no_colour || !*no_colour;
}

static int terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

/* "42%  1.50 GB/s  3 s left", or how much there was where the size is not known. */
static void format_numbers(char text[96], double rate, uint64_t bytes, uint64_t size)
{
    if (size > 0 && rate > 0)
        snprintf(text, 96, "%3.0f%%  %.2f GB/s  %.0f s left", 100 * (double)bytes / (double)size,
                 rate / 1e9, (double)(size - bytes) / rate);
    else
        snprintf(text, 96, "%.2f GB  %.2f GB/s", (double)bytes / 1e9, rate / 1e9);
}

/* "data.npy  [#####.....]  " in at most room columns; nothing if that is too narrow. */
static void format_bar(char text[320], const progress *p, double part, int room)
{
    static const char full[] = "##############################";
    static const char empty[] = "..............................";
    const int width = (int)sizeof full - 1;
    const char *slash = strrchr(p->file, '/');
    const char *name = slash ? slash + 1 : p->file;
    char shown[MESSAGE_QUOTE_BYTES(NAME_CLIP)];
    int name_room = room - width - 6;
    text[0] = '\0';
    if (name_room < 8)
        return;
    message_quote(shown, name, strlen(name), name_room - 3 < NAME_CLIP ? name_room - 3 : NAME_CLIP);
    snprintf(text, 320, "%.*s  [%s%.*s%s%.*s]  ", name_room, shown, p->colour ? "\033[32m" : "",
             (int)(part * width), full, p->colour ? "\033[0m" : "", width - (int)(part * width),
             empty);
}

static void draw(progress *p, uint64_t bytes, uint64_t size, double now)
{
    char numbers[96], bar[320] = "";
    int columns = terminal_columns() - 1; /* a full line would wrap */
    double spent = now - p->file_begun;
    if (bytes > size)
        size = 0; /* the file grows: its size says nothing */
    format_numbers(numbers, spent > 0 ? (double)bytes / spent : 0, bytes, size);
    if (size > 0)
        format_bar(bar, p, (double)bytes / (double)size, columns - (int)strlen(numbers));
    fprintf(stderr, "\r\033[K%s%.*s", bar, columns, numbers);
    fflush(stderr);
    p->shown = true;
    p->drawn = now;
}

void progress_file(progress *p, const char *name)
{
    p->file = name;
    p->file_begun = progress_clock();
}

void progress_update(progress *p, uint64_t bytes, uint64_t size)
{
    if (!p->wanted)
        return;
    double now = progress_clock();
    if (now - p->begun >= first_after && now - p->drawn >= again_after)
        draw(p, bytes, size, now);
}

void progress_erase(progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
