"""What docs/two-stage.md and its translation show is what happens: every command of both is run.

They show the model; a build without a C++ compiler has none, and skips this. Line numbers of kernels
change with every edit of theirs: they are compared as LINE, as the pages say.
"""
import os
import re
import sys
import tempfile

from markdown import blocks, run, sessions

SOURCE_DIR = os.environ["SOURCE_DIR"]
BUILD_DIR = os.environ["BUILD_DIR"]
DOCUMENTS = ["docs/two-stage.md", "docs/two-stage.zh.md"]


def without_lines(text):
    return re.sub(r"(\.cuh):\d+", r"\1:LINE", text)


def commands_of(path):
    """(command, expected output) of every console block."""
    with open(os.path.join(SOURCE_DIR, path), encoding="utf-8") as file:
        return [session for language, text in blocks(file.read()) if language == "console"
                for session in sessions(text)]


def main():
    differ, n_commands = 0, []
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(BUILD_DIR, os.path.join(folder, "build"))
        if '"model":{"status":"here"' not in run("build/tally info --json", folder):
            print("skipped: this build has no model")
            return 77
        for path in DOCUMENTS:
            shown = commands_of(path)
            n_commands.append(len(shown))
            for command, expected in shown:
                got = run(command, folder)
                if without_lines(got) != without_lines(expected):
                    differ += 1
                    print("$ %s\nprinted\n%s%s says\n%s" % (command, got, path, expected))
    print("%s: %s commands run, %d differ" % (" and ".join(DOCUMENTS), n_commands, differ))
    # The translation shows what the original shows.
    return 1 if differ or n_commands[0] == 0 or n_commands[0] != n_commands[1] else 0


sys.exit(main())
