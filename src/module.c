/* module.c - finds and loads libtally-cuda.so and libtally-hip.so. */
#define _GNU_SOURCE /* dladdr, secure_getenv */
#include "module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where "make install" puts modules, seen from the directory of the command. */
#define FROM_BIN_TO_LIB "../" TALLY_LIBRARY_DIRECTORY
#ifndef TALLY_LIBRARY_DIRECTORY
#define TALLY_LIBRARY_DIRECTORY "lib"
#endif

typedef struct search {
    char file[64]; /* "libtally-cuda.so" */
    const tally_backend *found;
    tally_backend_info *info;
    tally_backend_id id;
} search;

static void refuse(search *s, tally_presence presence, const char *why)
{
    s->info->presence = presence;
    snprintf(s->info->reason, sizeof s->info->reason, "%s", why);
}

/* Loads the file if it is there. True ends the search: a module that is there and cannot be used is
 * an answer, not a reason to look for another. */
static bool try_file(search *s, const char *path)
{
    if (access(path, F_OK) != 0) {
        return false;
    }
    snprintf(s->info->module, sizeof s->info->module, "%s", path);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        const char *why = dlerror();
        refuse(s, TALLY_PRESENCE_NO_DEVICE, why ? why : "it cannot be loaded");
        return true;
    }
    const tally_backend *backend = dlsym(module, "tally_backend_module");
    if (!backend || backend->abi != TALLY_BACKEND_ABI || backend->id != s->id) {
        refuse(s, TALLY_PRESENCE_ABSENT,
               "the module is not of this version of tally: build both together");
        dlclose(module);
        return true;
    }
    s->found = backend;
    return true;
}

static bool try_directory(search *s, const char *directory, size_t length, const char *below)
{
    char path[sizeof s->info->module];
    int n = snprintf(path, sizeof path, "%.*s/%s%s", (int)length, directory, below, s->file);
    return length > 0 && n > 0 && (size_t)n < sizeof path && try_file(s, path);
}

static bool try_list(search *s, const char *list)
{
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (try_directory(s, list, length, "")) {
            return true;
        }
        list += length + (list[length] == ':');
    }
    return false;
}

/* Beside the file that this code was loaded from: the shared library, or a program that has the
 * static one in it. */
static bool try_neighbours(search *s)
{
    static const char here;
    Dl_info self;
    if (!dladdr(&here, &self) || !self.dli_fname) {
        return false;
    }
    char file[sizeof s->info->module];
    if (strchr(self.dli_fname, '/')) {
        snprintf(file, sizeof file, "%s", self.dli_fname);
    } else { /* a program that was found in PATH */
        ssize_t n = readlink("/proc/self/exe", file, sizeof file - 1);
        file[n > 0 ? n : 0] = '\0';
    }
    const char *slash = strrchr(file, '/');
    size_t length = slash ? (size_t)(slash - file) : 0;
    return try_directory(s, file, length, "") ||
           try_directory(s, file, length, FROM_BIN_TO_LIB "/");
}

const tally_backend *tally_module_load(tally_backend_id id, tally_backend_info *info)
{
    tally_backend_info unread;
    search s = {.id = id, .info = info ? info : &unread};
    memset(s.info, 0, sizeof *s.info);
    snprintf(s.file, sizeof s.file, "libtally-%s.so", tally_backend_name(id));
    if (!try_list(&s, secure_getenv("TALLY_BACKEND_PATH")) && !try_neighbours(&s)) {
        snprintf(s.info->reason, sizeof s.info->reason,
                 "there is no %s beside this program or library, nor in TALLY_BACKEND_PATH",
                 s.file);
    }
    return s.found;
}
