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

enum { NAME_CLIP = 100 }; /* bytes of a file's name that the line shows at most */

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

static void draw(progress *p, uint64_t bytes, uint64_t size, double now)
{
    static const char full[] = "##############################";
    static const char empty[] = "..............................";
    const int width = (int)sizeof full - 1;
    const char *slash = strrchr(p->file, '/');
    double spent = now - p->file_begun;
    double rate = spent > 0 ? (double)bytes / spent : 0;
    char numbers[96], line[512], shown[MESSAGE_QUOTE_BYTES(NAME_CLIP)];

    int done = width;
    if (size > 0 && bytes < size) {
        double part = (double)bytes / (double)size;
        done = (int)(part * width);
        snprintf(numbers, sizeof numbers, "%3d%%  %.2f GB/s  %.0f s left", (int)(100 * part),
                 rate / 1e9, rate > 0 ? (double)(size - bytes) / rate : 0.0);
    } else {
        snprintf(numbers, sizeof numbers, "%.2f GB  %.2f GB/s", (double)bytes / 1e9, rate / 1e9);
    }
    message_quote(shown, slash ? slash + 1 : p->file, strlen(slash ? slash + 1 : p->file),
                  NAME_CLIP);
    bool bar = size > 0;
    int room = terminal_columns() - 1 - (int)strlen(numbers) - 2 - (bar ? width + 4 : 0);
    bar = bar && room >= 8; /* a narrow terminal gets the numbers alone */
    if (bar)
        snprintf(line, sizeof line, "%.*s  [%s%.*s%s%.*s]  %s", room, shown,
                 p->colour ? "\033[32m" : "", done, full, p->colour ? "\033[0m" : "", width - done,
                 empty, numbers);
    else
        snprintf(line, sizeof line, "%.*s", terminal_columns() - 1, numbers);
    fprintf(stderr, "\r\033[K%s", line);
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
