/* status.c - the table of status codes, and the version. */
#include "tally.h"

typedef struct status_row {
    tally_status status;
    const char *name;
    const char *text;
} status_row;

static const status_row status_table[] = {
    {TALLY_OK, "TALLY_OK", "The call did what it says."},
    {TALLY_ERR_ARGUMENT, "TALLY_ERR_ARGUMENT",
     "The caller passed a pointer, count or constant that makes no sense; see the function's "
     "comment."},
    {TALLY_ERR_EMPTY, "TALLY_ERR_EMPTY",
     "There are no elements, and this op has no value for none; check n, or skip fewer NaNs."},
    {TALLY_ERR_OVERFLOW, "TALLY_ERR_OVERFLOW",
     "The exact result does not fit the result type; ask for a float type, or use a tally_state."},
    {TALLY_ERR_MEMORY, "TALLY_ERR_MEMORY", "The system gave no memory; free some and try again."},
    {TALLY_ERR_UNSUPPORTED, "TALLY_ERR_UNSUPPORTED",
     "This op has no result of that type, element type or level; see the tables in tally.h."},
    {TALLY_ERR_BACKEND, "TALLY_ERR_BACKEND",
     "The backend asked for is not in this build or has no device here; ask for another."},
    {TALLY_ERR_MIXED, "TALLY_ERR_MIXED",
     "Floats and integers met in one state; call tally_state_widen() on the integers first."},
    {TALLY_ERR_DAMAGED, "TALLY_ERR_DAMAGED",
     "The bytes are not one whole saved state of this version; save or copy it again."},
    {TALLY_ERR_SPACE, "TALLY_ERR_SPACE",
     "The caller's buffer is too small: a saved state takes TALLY_STATE_BYTES, a workspace what "
     "tally_workspace_nbytes() says."},
    {TALLY_ERR_DEVICE, "TALLY_ERR_DEVICE",
     "A call of the device's API failed; tally_last_error() names it, with its code and its "
     "words."},
};

static const status_row unknown_status = {TALLY_OK, "TALLY_ERR_?",
                                          "This number is no status of this version of tally."};

static const status_row *find_status(tally_status status)
{
    for (size_t i = 0; i < sizeof status_table / sizeof status_table[0]; i++) {
        if (status_table[i].status == status) {
            return &status_table[i];
        }
    }
    return &unknown_status;
}

const char *tally_status_name(tally_status status)
{
    return find_status(status)->name;
}

const char *tally_status_text(tally_status status)
{
    return find_status(status)->text;
}

#define QUOTE(x)         #x
#define VERSION(a, b, c) QUOTE(a) "." QUOTE(b) "." QUOTE(c)

const char *tally_version(void)
{
    return VERSION(TALLY_VERSION_MAJOR, TALLY_VERSION_MINOR, TALLY_VERSION_PATCH);
}
