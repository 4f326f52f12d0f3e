"""Documents whose console sessions are run: "$ command" lines, each followed by what it prints."""
import re
import subprocess


def blocks(markdown):
    """(language, text) of every fenced block."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL)


def sessions(text):
    """(command, expected output) of a console block."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def run(command, folder):
    """Output and errors together, as a terminal shows them."""
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
