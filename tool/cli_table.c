/*
 * cli_table.c - every command and option of tally, and what is to be said about each.
 *
 * A new reduction is a row here and a row in the library's table of ops. The examples are run by
 * the tests, which compare their output with what is written here.
 */
#include "cli.h"

const char cli_tagline[] = "exact totals of real data";

const char cli_about[] =
    "Reduces the numbers in .npy, raw and text files to one value. The value is the exact "
    "mathematical result, rounded once: the same digits in any order, on any machine.";

const char cli_files[] =
    "FILE is a NumPy .npy file, raw numbers (say which with --dtype), or text with numbers; \"-\" "
    "is standard input, which is also read if no FILE is given. Several files make one total. In "
    "text, "
    "all fields of all columns are numbers, separated by white space (in .csv by commas, in .tsv "
    "by "
    "tabs; -t SEP); integers are taken exactly, a number with a point or an exponent as the "
    "nearest "
    "f64.";

const char cli_exits[] = "0  done\n"
                         "1  the data has no answer: max of nothing, NaN under --nan error\n"
                         "2  the command line makes no sense\n"
                         "3  the input cannot be read, or the output not written\n"
                         "4  the backend asked for is not there\n";

const char cli_date[] = "November 29, 2026";

const cli_command cli_commands[] = {
    {.name = "sum",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_SUM,
     .also = " total add plus count ",
     .summary = "add all elements up",
     .details = "Floats give the exact sum rounded once, as f64 unless --out says otherwise. "
                "Integers, also those in text, give the exact integer, however large. Of bools, "
                "the true ones are counted. The sum of nothing is 0.",
     .examples = "$ printf '1e16\\n1\\n-1e16\\n' | tally sum\n"
                 "1\n"
                 "$ printf '9007199254740993\\n1\\n1\\n' | tally sum\n"
                 "9007199254740995\n"
                 "$ printf '\\0\\0\\200\\077\\0\\0\\0\\100' | tally sum --dtype f32le\n"
                 "3\n"
                 "$ printf '1\\n2\\n' >a.txt; printf '0.5,4\\n' >b.csv\n"
                 "$ tally sum a.txt b.csv\n"
                 "7.5\n"
                 "$ tally sum --each a.txt b.csv\n"
                 "3\ta.txt\n"
                 "4.5\tb.csv\n"},
    {.name = "mean",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_MEAN,
     .also = " average avg ",
     .summary = "the exact sum over the exact count, rounded once",
     .details = "The mean of equal values is that value, and nothing overflows on the way. "
                "The mean of nothing has no value: exit 1.",
     .examples = "$ printf '5.4\\n5.4\\n5.4\\n' | tally mean\n"
                 "5.4\n"
                 "$ printf '1.7e308\\n1.7e308\\n' | tally mean\n"
                 "1.7e+308\n"},
    {.name = "min",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_MIN,
     .also = " minimum smallest least lowest ",
     .summary = "the smallest element",
     .details = "NaN wins over every number unless --nan skip leaves it out; -0 is below +0. The "
                "minimum of nothing has no value: exit 1.",
     .examples = "$ printf '3\\n-7\\n12\\n' | tally min\n"
                 "-7\n"
                 "$ printf '3\\nnan\\n1\\n' | tally min\n"
                 "nan\n"
                 "$ printf '3\\nnan\\n1\\n' | tally min --nan skip\n"
                 "1\n"},
    {.name = "max",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_MAX,
     .also = " maximum largest greatest highest ",
     .summary = "the largest element",
     .details = "NaN wins over every number unless --nan skip leaves it out; -0 is below +0. The "
                "maximum of nothing has no value: exit 1.",
     .examples = "$ printf '3\\n-7\\n12\\n' | tally max\n"
                 "12\n"
                 "$ printf '3;9;12\\n' | tally max -t ';'\n"
                 "12\n"},
    {.name = "argmin",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_ARGMIN,
     .also = " minindex indexmin ",
     .summary = "where the smallest element is, counted from 0",
     .details = "The index is in C order over all files in sequence. Among equals, and among NaNs, "
                "the first wins. Of nothing there is none: exit 1.",
     .examples = "$ printf '30\\n10\\n20\\n10\\n' | tally argmin\n"
                 "1\n"},
    {.name = "argmax",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_ARGMAX,
     .also = " maxindex indexmax ",
     .summary = "where the largest element is, counted from 0",
     .details = "The index is in C order over all files in sequence. Among equals, and among NaNs, "
                "the first wins. Of nothing there is none: exit 1.",
     .examples = "$ printf '30\\n10\\n20\\n30\\n' | tally argmax\n"
                 "0\n"},
    {.name = "info",
     .kind = CLI_INFO,
     .also = " version build about ",
     .summary = "version, build, processor, and which backends are there",
     .details = "Worth pasting into a bug report.",
     .examples = ""},
    {.name = "help",
     .kind = CLI_HELP,
     .also = " man usage ",
     .summary = "explain tally, or one command: tally help sum",
     .details = "The same as tally COMMAND --help.",
     .examples = ""},
};
const size_t cli_n_commands = sizeof cli_commands / sizeof *cli_commands;

const cli_option cli_options[CLI_OPTIONS] = {
    [CLI_OUT] = {"out", 0, "f16|bf16|f32|f64", true, CLI_REDUCE, 0,
                 "Round a sum or mean to this type, straight from the exact value. Default: f64, "
                 "and the exact integer for sums of integers. min and max keep the input's type; "
                 "of floats and integers together they give an f64."},
    [CLI_NAN] = {"nan", 0, "propagate|skip|error", true, CLI_REDUCE, 0,
                 "What a NaN does: make the result NaN (the default), be left out, or end with "
                 "exit 1."},
    [CLI_EACH] = {"each", 0, NULL, false, CLI_REDUCE, 0,
                  "One line a file, VALUE<tab>FILE, in place of one total. A bad file is reported "
                  "and the rest still read."},
    [CLI_JSON] =
        {"json", 0, NULL, false, CLI_REDUCE | CLI_INFO, 0,
         "One JSON object a line. Of a reduction: value, bits (hexadecimal; null for an integer "
         "of more than 64 bits), type, op, n, nan, inf, skipped, level, plan, backend, "
         "device (both null here), files, bytes, seconds."},
    [CLI_QUIET] = {"quiet", 0, NULL, false, CLI_REDUCE | CLI_INFO, 0,
                   "No warnings (bytes behind an array, numbers beyond f64) and no progress bar; "
                   "errors are still reported."},
    [CLI_BACKEND] = {"backend", 0, "auto|cpu|cuda|hip|model", true, CLI_REDUCE, 0,
                     "Who does the work. One that is not there is an error, never replaced."},
    [CLI_FORMAT] = {"format", 0, "auto|npy|raw|text", true, CLI_REDUCE, 0,
                    "Default auto: .npy if the data begins like one, raw if --dtype is given, "
                    "else text."},
    [CLI_DTYPE] = {"dtype", 0, "TYPE", false, CLI_REDUCE, CLI_NPY | CLI_RAW,
                   "Element type of raw data: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool, "
                   "with le (default) or be for the byte order: f32be. For .npy: read items of "
                   "this size so (bf16)."},
    [CLI_OFFSET] = {"offset", 0, "BYTES", false, CLI_REDUCE, CLI_RAW,
                    "Raw data begins after so many bytes."},
    [CLI_COUNT] = {"count", 0, "N", false, CLI_REDUCE, CLI_RAW,
                   "Read so many elements of raw data. Default: to the end."},
    [CLI_FIELD] = {"field", 0, "NAME", false, CLI_REDUCE, CLI_NPY,
                   "The field to read of a structured .npy file."},
    [CLI_SEPARATOR] = {NULL, 't', "SEP", false, CLI_REDUCE, CLI_TEXT,
                       "The byte between fields of text; \\t or tab for a tab. Default: a comma "
                       "in .csv, a tab in .tsv, else white space."},
    [CLI_SHOW_HELP] = {"help", 'h', NULL, false, CLI_REDUCE | CLI_INFO | CLI_HELP, 0,
                       "Explain the command."},
};

const char *cli_option_text(const cli_option *option, char text[32])
{
    if (option->name)
        snprintf(text, 32, "--%s", option->name);
    else
        snprintf(text, 32, "-%c", option->letter);
    return text;
}
