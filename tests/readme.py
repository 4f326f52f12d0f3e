"""What README.md shows is what happens: its console sessions and its C program are run.

A ```console block holds "$ command" lines, each followed by everything the command prints, errors
included. The first ```c block is compiled as written; the ```text block after it is its output.
"""
import os
import sys
import tempfile

from markdown import blocks, run, sessions

SOURCE_DIR = os.environ["SOURCE_DIR"]
BUILD_DIR = os.environ["BUILD_DIR"]


def main():
    with open(os.path.join(SOURCE_DIR, "README.md"), encoding="utf-8") as file:
        fenced = blocks(file.read())
    checks = []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(BUILD_DIR, os.path.join(folder, "build"))
        for language, text in fenced:
            if language == "console":
                checks += [(command, run(command, folder), expected)
                           for command, expected in sessions(text)]
        n_sessions = len(checks)

        languages = [language for language, _ in fenced]
        at = languages.index("c")
        with open(os.path.join(folder, "example.c"), "w", encoding="utf-8") as file:
            file.write(fenced[at][1])
        assert languages[at + 1] == "text", "the C example's output should follow it"
        compile_and_run = ("cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%s/include example.c "
                           "build/libtally.a -o example && ./example" % SOURCE_DIR)
        checks.append((compile_and_run, run(compile_and_run, folder), fenced[at + 1][1]))

    failures = [check for check in checks if check[1] != check[2]]
    for command, got, expected in failures:
        print("$ %s\nprinted\n%sREADME.md says\n%s" % (command, got, expected))
    print("%d commands and 1 program of README.md run, %d differ" % (n_sessions, len(failures)))
    return 1 if failures or n_sessions == 0 else 0


sys.exit(main())
