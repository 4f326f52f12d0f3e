/*
 * settings.c - turns option values into types, numbers and formats, and refuses what contradicts.
 */
#include "settings.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "output.h"

/* A type's name, TALLY_TYPE_DEFAULT if it is none. */
static tally_type find_type(const char *name, size_t length)
{
    const char *known;
    for (int type = TALLY_TYPE_F16; (known = tally_type_name((tally_type)type)); type++) {
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return (tally_type)type;
    }
    return TALLY_TYPE_DEFAULT;
}

static bool read_dtype(const char *text, reader_options *options)
{
    size_t length = strlen(text);
    options->dtype = find_type(text, length);
    if (options->dtype != TALLY_TYPE_DEFAULT)
        return true;
    if (length > 2 && strcmp(text + length - 2, "le") == 0)
        options->order = READER_ORDER_LITTLE;
    if (length > 2 && strcmp(text + length - 2, "be") == 0)
        options->order = READER_ORDER_BIG;
    if (options->order != READER_ORDER_DEFAULT)
        options->dtype = find_type(text, length - 2);
    if (options->dtype != TALLY_TYPE_DEFAULT)
        return true;
    output_message("--dtype '%s' is no type: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool, "
                   "with le or be for the byte order",
                   text);
    return false;
}

bool settings_parse(const char *text, uint64_t *value)
{
    uint64_t n = 0;
    const char *at = text;
    for (; isdigit((unsigned char)*at); at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (n > (UINT64_MAX - digit) / 10)
            break;
        n = 10 * n + digit;
    }
    *value = n;
    return at > text && !*at && n < UINT64_MAX; /* which stands for "to the end" */
}

bool settings_count(const char *option, const char *text, uint64_t *value)
{
    if (settings_parse(text, value))
        return true;
    output_message("%s '%s' is not a whole number from 0 to %" PRIu64, option, text,
                   UINT64_MAX - 1);
    return false;
}

static bool read_separator(const char *text, char *separator)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        text = "\t";
    /* One byte that no number contains and that ends no line. */
    if (strlen(text) == 1 && !isalnum((unsigned char)*text) && !strchr("+-.\r\n", *text)) {
        *separator = *text;
        return true;
    }
    output_message("-t '%s' cannot separate fields: give one byte that is no part of a number",
                   text);
    return false;
}

/* The format of --format, if all given options suit one; of those that do not, two are named. */
static int agree_on_format(const cli *parsed, reader_format *format)
{
    unsigned agreed = CLI_NPY | CLI_RAW | CLI_TEXT;
    const char *word = parsed->value[CLI_FORMAT];
    char by[48] = "", text[32];
    if (word && strcmp(word, "auto") != 0) {
        agreed = strcmp(word, "npy") == 0 ? CLI_NPY : strcmp(word, "raw") == 0 ? CLI_RAW : CLI_TEXT;
        snprintf(by, sizeof by, "--format %s", word);
    }
    for (size_t i = 0; i < CLI_OPTIONS; i++) {
        const cli_option *option = &cli_options[i];
        if (!parsed->value[i] || !option->formats)
            continue;
        cli_option_text(option, text);
        if (!(agreed & option->formats)) {
            output_message("%s and %s do not go together: they are for different formats", by,
                           text);
            return EXIT_USAGE;
        }
        agreed &= option->formats;
        snprintf(by, sizeof by, "%s", text);
    }
    if (agreed == CLI_RAW && !parsed->value[CLI_DTYPE]) {
        output_message("%s is for raw data, which needs its type too: --dtype f32le", by);
        return EXIT_USAGE;
    }
    /* Without --format the data decides; options that do not suit it are refused by the reader. */
    bool chosen = word && strcmp(word, "auto") != 0;
    *format = !chosen             ? READER_AUTO
              : agreed == CLI_NPY ? READER_NPY
              : agreed == CLI_RAW ? READER_RAW
                                  : READER_TEXT;
    return 0;
}

static void read_nan(const char *word, settings *s)
{
    s->nan = word && strcmp(word, "skip") == 0 ? TALLY_NAN_SKIP : TALLY_NAN_PROPAGATE;
    s->nan_is_error = word && strcmp(word, "error") == 0;
}

tally_backend_id settings_backend(const char *word)
{
    for (int id = TALLY_BACKEND_AUTO; word; id++) {
        const char *name = tally_backend_name((tally_backend_id)id);
        if (!name || strcmp(name, word) == 0)
            return (tally_backend_id)id; /* one past the last is no backend: tally_open() says so */
    }
    return TALLY_BACKEND_AUTO;
}

bool settings_device(const cli *parsed, int *device)
{
    const char *text = parsed->value[CLI_DEVICE], *backend = parsed->value[CLI_BACKEND];
    uint64_t n = 0;
    if (text && (!backend || (strcmp(backend, "cuda") != 0 && strcmp(backend, "hip") != 0))) {
        output_message("--device is for GPUs: add --backend cuda or --backend hip");
        return false;
    }
    if (text && !settings_count("--device", text, &n))
        return false;
    *device = n > INT_MAX ? INT_MAX : (int)n;
    return true;
}

static int check_files(const cli *parsed)
{
    size_t n_stdin = 0;
    for (size_t i = 0; i < parsed->n_files; i++)
        n_stdin += strcmp(parsed->files[i], "-") == 0;
    if (n_stdin <= 1)
        return 0;
    output_message("standard input, '-', can be read only once");
    return EXIT_USAGE;
}

int settings_read(const cli *parsed, settings *s)
{
    const char *const *value = parsed->value;
    memset(s, 0, sizeof *s);
    s->op = parsed->command->op;
    s->each = value[CLI_EACH] != NULL;
    s->json = value[CLI_JSON] != NULL;
    s->quiet = value[CLI_QUIET] != NULL;
    s->backend.backend = settings_backend(value[CLI_BACKEND]);
    if (!settings_device(parsed, &s->backend.device))
        return EXIT_USAGE;
    read_nan(value[CLI_NAN], s);
    s->reader.count = UINT64_MAX;
    s->reader.field = value[CLI_FIELD];
    s->reader.indexed = s->op == TALLY_OP_ARGMIN || s->op == TALLY_OP_ARGMAX;

    if (value[CLI_OUT])
        s->out = find_type(value[CLI_OUT], strlen(value[CLI_OUT]));
    if (s->out != TALLY_TYPE_DEFAULT && s->reader.indexed) {
        output_message("%s gives an index: --out does not apply", parsed->command->name);
        return EXIT_USAGE;
    }
    if ((value[CLI_DTYPE] && !read_dtype(value[CLI_DTYPE], &s->reader)) ||
        (value[CLI_OFFSET] && !settings_count("--offset", value[CLI_OFFSET], &s->reader.offset)) ||
        (value[CLI_COUNT] && !settings_count("--count", value[CLI_COUNT], &s->reader.count)) ||
        (value[CLI_SEPARATOR] && !read_separator(value[CLI_SEPARATOR], &s->reader.separator)))
        return EXIT_USAGE;
    int code = settings_read_plan(parsed, s);
    if (code == 0)
        code = agree_on_format(parsed, &s->reader.format);
    return code != 0 ? code : check_files(parsed);
}
