/*
 * cmd_info.c - what this tally is, and what it found on this machine.
 */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"

#include <string.h>
#include <sys/utsname.h>

#include "output.h"
#include "presence.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define SANITIZER ", address sanitizer"
#elif defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
#define SANITIZER ", thread sanitizer"
#else
#define SANITIZER ""
#endif

#ifdef __OPTIMIZE__
#define BUILD "optimised" SANITIZER
#else
#define BUILD "not optimised" SANITIZER
#endif

/* The processor as the system calls it, else the kind of machine. */
static void find_processor(char *name, size_t nbytes)
{
    char line[256];
    struct utsname machine;
    snprintf(name, nbytes, "%s", uname(&machine) == 0 ? machine.machine : "unknown");
    FILE *in = fopen("/proc/cpuinfo", "r");
    while (in && fgets(line, sizeof line, in)) {
        const char *value = strchr(line, ':');
        if (value && strncmp(line, "model name", 10) == 0) {
            snprintf(name, nbytes, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (in)
        fclose(in);
}

int cmd_info(const cli *parsed)
{
    char processor[256], text[512];
    const char *name;
    bool json = parsed->value[CLI_JSON] != NULL;
    if (parsed->n_files > 0) {
        output_message("info takes no files, and '%s' is one", parsed->files[0]);
        return EXIT_USAGE;
    }
    find_processor(processor, sizeof processor);
    if (json) {
        json_open();
        json_text("version", tally_version());
        json_text("compiler", COMPILER);
        json_text("build", BUILD);
        json_text("processor", processor);
        json_open_object("backends");
    } else {
        printf("tally %s\n%-11s%s\n%-11s%s\n%-11s%s\n%-11s", tally_version(), "compiler", COMPILER,
               "build", BUILD, "processor", processor, "backends");
    }
    for (int id = TALLY_BACKEND_CPU; (name = tally_backend_name((tally_backend_id)id)); id++) {
        tally_backend_info found;
        tally_backend_find((tally_backend_id)id, 0, &found);
        if (json) {
            json_open_object(name);
            presence_json(&found, presence_word(TALLY_PRESENCE_READY));
            json_close_object();
        } else {
            presence_line(&found, text, sizeof text);
            printf("%*s%-7s%s\n", id == TALLY_BACKEND_CPU ? 0 : 11, "", name, text);
        }
    }
    if (json) {
        json_close_object();
        json_close();
    }
    return output_flush() ? EXIT_DONE : EXIT_DATA;
}
