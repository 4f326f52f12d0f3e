/*
 * presence.c - whether a backend can be used, in words.
 */
#include "presence.h"

#include <stdio.h>

#include "output.h"

const char *presence_word(tally_presence presence)
{
    switch (presence) {
    case TALLY_PRESENCE_READY: return "here";
    case TALLY_PRESENCE_NO_DEVICE: return "compiled only";
    default: return "not built";
    }
}

void presence_line(const tally_backend_info *info, char *text, size_t nbytes)
{
    const char *more = info->presence == TALLY_PRESENCE_READY ? info->device : info->reason;
    snprintf(text, nbytes, "%s%s%s", presence_word(info->presence), *more ? ": " : "", more);
}

void presence_json(const tally_backend_info *info, const char *ready)
{
    const bool is_ready = info->presence == TALLY_PRESENCE_READY;
    json_text("status", is_ready ? ready : presence_word(info->presence));
    if (*info->device)
        json_text("device", info->device);
    if (*info->module)
        json_text("module", info->module);
    if (info->n_devices > 0) {
        json_count("devices", (uint64_t)info->n_devices);
        json_count("driver", (uint64_t)info->driver);
        json_count("runtime", (uint64_t)info->runtime);
    }
    if (*info->reason)
        json_text("reason", info->reason);
}
