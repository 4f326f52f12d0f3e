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

const char cli_exits[] =
    "0  done\n"
    "1  the answer is no, or there is none: max of nothing, a check that failed\n"
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
    {.name = "prod",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_PROD,
     .also = " product multiply times ",
     .summary = "multiply all elements, at level tree only",
     .details = "In the accumulator's precision, in the plan's order. The product of nothing is 1.",
     .examples = "$ printf '1.5\\n2\\n4\\n' | tally prod --level tree\n"
                 "12\n"},
    {.name = "norm1",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_NORM1,
     .also = " manhattan l1 ",
     .summary = "the sum of magnitudes, at level tree only",
     .details = "In the accumulator's precision, in the plan's order. Of nothing it is 0.",
     .examples = "$ printf '3\\n-4\\n' | tally norm1 --level tree\n"
                 "7\n"},
    {.name = "norm2",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_NORM2,
     .also = " euclidean l2 norm length ",
     .summary = "the root of the sum of squares, at level tree only",
     .details = "Squares and sums are in the accumulator's precision, in the plan's order, and can "
                "overflow where the norm would not. Of nothing it is 0.",
     .examples = "$ printf '3\\n-4\\n' | tally norm2 --level tree\n"
                 "5\n"},
    {.name = "norminf",
     .kind = CLI_REDUCE,
     .op = TALLY_OP_NORMINF,
     .also = " chebyshev linf ",
     .summary = "the largest magnitude, at level tree only",
     .details = "NaN wins over every number. Of nothing it is 0.",
     .examples = "$ printf '3\\n-4\\n' | tally norminf --level tree\n"
                 "4\n"},
    {.name = "trace",
     .kind = CLI_TRACE,
     .also = " show explain steps rounds ",
     .summary = "show every round of a plan's two-stage tree",
     .details = "Plays the plan out in plain C: which lane takes which element, each round's old "
                "and new values, the barrier, the partials, the second stage, and what the order "
                "cost against the exact result. It is a model of the steps, not of a machine. "
                "With --fault it makes a known mistake on purpose, runs the kernels on the model "
                "too, and explains what went wrong.",
     .json = "One JSON object: op, type, n, plan; stages (stage, by: device or host) and "
             "fixed_order (false for atomics); coverage (indices, lost, lanes with index and "
             "valid); events, in order, each with step, stage, block and lanes, and what the step "
             "has of tree, distance, arrived, role, elements, source, slot, before, after, shared "
             "and trouble; partials; result, in_order and exact (value, bits, type); ulp, error, "
             "sum_of_magnitudes, depth, bound, bound_any_order, rule_1e-5; fault (null without "
             "one; else its text, the numbers without, poisoned and zeroed, and model with its "
             "reports).",
     .examples = "$ tally trace --values 3,-1,4,0,2 --block 4 --shape halving | tail -n 5\n"
                 "partials   6 2\n"
                 "result     8  i64\n"
                 "in order   8  one lane, first to last\n"
                 "exact      8\n"
                 "error      none: the tree gives the exact result, rounded once\n"},
    {.name = "verify",
     .kind = CLI_VERIFY,
     .also = " check selftest test ",
     .summary = "run the case matrix on every backend that is here",
     .details = "Ops, types, plans, sizes and patterns of data, on the CPU and on the model of "
                "waves of 32 and 64 lanes, and on GPUs; results, on the model partials too, are "
                "compared bit by bit with the trace. The CPU runs the trace itself: what vouches "
                "for it are the cases in which nothing is rounded, which are compared with level "
                "exact, too, and counted. Says of each backend whether it was executed, is "
                "compiled only (no driver or device here), or is not built.",
     .json =
         "One JSON object: quick; backends, each with name, wave (the model's) and status; what "
         "is known of a module: its path (module), device, devices (how many), driver and "
         "runtime; reason if it was not executed, else cases, differences, findings (the "
         "model's) and compared_with_exact; first_differences, as sentences.",
     .examples = ""},
    {.name = "info",
     .kind = CLI_INFO,
     .also = " version build about ",
     .summary = "version, build, processor, and which backends are there",
     .details = "Worth pasting into a bug report.",
     .json =
         "One JSON object: version, compiler, build, processor; backends, each with status, what "
         "is known of a module (its path, module; device, devices, driver and runtime), and "
         "reason if it is not here.",
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
        {"json", 0, NULL, false, CLI_REDUCE | CLI_INFO | CLI_TRACE | CLI_VERIFY, 0,
         "One JSON object a line. Of a reduction: value, bits (hexadecimal; null for an integer "
         "of more than 64 bits), type, op, n, nan, inf, skipped, level, plan (null at level "
         "exact), backend, device (null on the CPU), files, bytes, seconds; with --fault also its "
         "name and the model's reports."},
    [CLI_QUIET] = {"quiet", 0, NULL, false, CLI_READS | CLI_INFO, 0,
                   "No warnings (bytes behind an array, numbers beyond f64) and no progress bar; "
                   "errors are still reported."},
    [CLI_BACKEND] =
        {"backend", 0, "auto|cpu|cuda|hip|model", true, CLI_REDUCE | CLI_VERIFY, 0,
         "Who does the work. One that is not there is an error, never replaced. verify: "
         "only this one; auto: all."},
    [CLI_DEVICE] = {"device", 0, "N", false, CLI_REDUCE | CLI_VERIFY, 0,
                    "Backends cuda and hip: which device, counted from 0 (the default)."},
    [CLI_LEVEL] = {"level", 0, "exact|tree", true, CLI_REDUCE, 0,
                   "exact (the default): the exact value, rounded once. tree: what the plan's "
                   "two-stage tree gives in the accumulator's own precision, as a GPU adds."},
    [CLI_BLOCK] = {"block", 0, "B", false, CLI_PLANS, 0,
                   "Plan: lanes a block, a power of two from 1 to 1024. Default: as many as "
                   "there are loads, 32 to 512; contiguous: 256."},
    [CLI_BLOCKS] = {"blocks", 0, "G", false, CLI_PLANS, 0,
                    "Plan: blocks of the first stage. Default: what the data fills, at most "
                    "4096; contiguous: ceil(n / B)."},
    [CLI_VECTOR] = {"vector", 0, "V", false, CLI_PLANS, 0,
                    "Plan: neighbours that a lane takes at a time. Default: 16 bytes' worth."},
    [CLI_SHAPE] = {"shape", 0, "wave|halving", true, CLI_PLANS, 0,
                   "Plan: how a block folds: lanes exchange registers in groups of 32 (the "
                   "default), or halve an array in shared memory."},
    [CLI_ASSIGN] = {"assign", 0, "grid-stride|contiguous", true, CLI_PLANS, 0,
                    "Plan: which lane takes which elements. Default: grid-stride for wave, "
                    "contiguous for halving."},
    [CLI_FINAL] = {"final", 0, "device|host|atomic", true, CLI_PLANS, 0,
                   "Plan: who folds the partials: a second kernel (the default), the host in the "
                   "same order, or atomics in no fixed order."},
    [CLI_STAGES] = {"stages", 0, "K", false, CLI_PLANS, 0,
                    "Plan: passes, the first included. Default 2."},
    [CLI_WAVE] = {"wave", 0, "32|64", true, CLI_PLANS, 0,
                  "Model: lanes that run together. Default 32."},
    [CLI_SEED] = {"seed", 0, "S", false, CLI_PLANS, 0,
                  "Model: shuffles the order of lanes and blocks. Default 0: ascending."},
    [CLI_FAULT] = {"fault", 0, "NAME", false, CLI_PLANS, 0,
                   "Makes a known mistake on purpose, on the trace and on the model only; "
                   "'tally trace --fault list' names them."},
    [CLI_ZEROED] = {"zeroed", 0, NULL, false, CLI_PLANS, 0,
                    "With --fault: shared memory begins as zeros, which hides mistakes. Default: "
                    "as poison."},
    [CLI_VALUES] = {"values", 0, "V,V,...", false, CLI_TRACE, 0,
                    "The elements themselves, in place of a file: i64 if all are integers, else "
                    "f64, or what --dtype says."},
    [CLI_OP] = {"op", 0, "sum|prod|min|max|argmin|argmax|norm1|norm2|norminf", true, CLI_TRACE, 0,
                "What the tree computes. Default: sum."},
    [CLI_LANG] = {"lang", 0, "en|zh", true, CLI_TRACE, 0,
                  "Language in which a fault is explained. Default: en."},
    [CLI_QUICK] = {"quick", 0, NULL, false, CLI_VERIFY, 0, "A small part of the cases."},
    [CLI_FORMAT] = {"format", 0, "auto|npy|raw|text", true, CLI_READS, 0,
                    "Default auto: .npy if the data begins like one, raw if --dtype is given, "
                    "else text."},
    [CLI_DTYPE] = {"dtype", 0, "TYPE", false, CLI_READS, CLI_NPY | CLI_RAW,
                   "Element type of raw data: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool, "
                   "with le (default) or be for the byte order: f32be. For .npy: read items of "
                   "this size so (bf16)."},
    [CLI_OFFSET] = {"offset", 0, "BYTES", false, CLI_READS, CLI_RAW,
                    "Raw data begins after so many bytes."},
    [CLI_COUNT] = {"count", 0, "N", false, CLI_READS, CLI_RAW,
                   "Read so many elements of raw data. Default: to the end."},
    [CLI_FIELD] = {"field", 0, "NAME", false, CLI_READS, CLI_NPY,
                   "The field to read of a structured .npy file."},
    [CLI_SEPARATOR] = {NULL, 't', "SEP", false, CLI_READS, CLI_TEXT,
                       "The byte between fields of text; \\t or tab for a tab. Default: a comma "
                       "in .csv, a tab in .tsv, else white space."},
    [CLI_SHOW_HELP] = {"help", 'h', NULL, false,
                       CLI_REDUCE | CLI_INFO | CLI_HELP | CLI_TRACE | CLI_VERIFY, 0,
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
