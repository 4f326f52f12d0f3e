"""What the command does on a terminal: usage in place of waiting, and a progress bar."""
import os
import pty
import subprocess
import threading
import time

from cli import TALLY, claim, contains, equal, main, npy_header, write

ERASE = "\r\x1b[K"


class Terminal:
    """A pseudo-terminal whose slave end a process can have, and all that was written to it."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self.seen = b""
        self.thread = threading.Thread(target=self._collect, daemon=True)
        self.thread.start()

    def _collect(self):
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:  # every slave end is closed
                return
            if not data:
                return
            self.seen += data

    def close(self):
        os.close(self.slave)
        self.thread.join(10)
        os.close(self.master)
        return self.seen.decode()


def run_on_terminal(*arguments, seconds=0.0, last=b"", env=None):
    """Runs the command with stderr on a terminal, and standard input fed for so long, then with
    last. Gives its exit code, its standard output, and what the terminal saw."""
    terminal = Terminal()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", **(env or {})}
    with subprocess.Popen([TALLY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=terminal.slave, env=environment) as run:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            run.stdin.write(b"1\n" * 50000)
            run.stdin.flush()
            time.sleep(0.01)
        run.stdin.write(last)
        run.stdin.close()
        out = run.stdout.read().decode()
    return run.returncode, out, terminal.close()


@claim
def usage_in_place_of_waiting_for_a_keyboard():
    for arguments, part in ((["sum"], "usage: tally sum [OPTION]... [FILE]..."),
                            (["max", "--json"], "usage: tally max"),
                            ([], "usage: tally COMMAND")):
        terminal = Terminal()
        ran = subprocess.run([TALLY, *arguments], stdin=terminal.slave, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=20, check=False)
        equal(terminal.close(), "")
        equal((ran.returncode, ran.stdout), (2, b""))
        contains(ran.stderr.decode(), part)


@claim
def a_dash_reads_the_terminal():
    terminal = Terminal()
    os.write(terminal.master, b"1\n2\n\x04")
    ran = subprocess.run([TALLY, "sum", "-"], stdin=terminal.slave, stdout=subprocess.PIPE,
                         timeout=20, check=False)
    terminal.close()
    equal((ran.returncode, ran.stdout), (0, b"3\n"))


@claim
def long_work_shows_its_progress_and_takes_it_away():
    code, out, seen = run_on_terminal("sum", seconds=1.6)
    equal((code, out.strip().isdigit()), (0, True))
    contains(seen, ERASE)
    contains(seen, "GB/s")
    equal(seen.endswith(ERASE), True, "the line is left as it was: %r" % seen[-60:])
    equal("\n" in seen, False, "lines on the terminal")


@claim
def a_file_of_known_size_gets_a_bar_in_colour_or_not():
    big = write(b"", ".npy")
    n = 400 << 20
    with open(big, "wb") as file:  # several windows of holes
        file.write(npy_header("|u1", (n,)))
        file.truncate(file.tell() + n)
    _, _, seen = run_on_terminal("sum", "-", big, seconds=1.3)
    contains(seen, "%  ")
    contains(seen, "s left")
    contains(seen, big)
    contains(seen, "\x1b[32m##")
    _, _, seen = run_on_terminal("sum", "-", big, seconds=1.3, env={"NO_COLOR": "1"})
    contains(seen, "  [##")
    equal("\x1b[32m" in seen, False, "colour")


@claim
def short_work_shows_nothing():
    equal(run_on_terminal("sum", last=b"1\n"), (0, "1\n", ""))


@claim
def quiet_and_a_terminal_that_cannot_erase_show_nothing():
    for arguments, env in ((["sum", "--quiet"], {}), (["sum"], {"TERM": "dumb"})):
        code, out, seen = run_on_terminal(*arguments, seconds=1.4, env=env)
        equal((code, out.strip().isdigit(), seen), (0, True, ""))


@claim
def a_message_does_not_share_its_line_with_the_bar():
    code, out, seen = run_on_terminal("sum", seconds=1.4, last=b"2x\n")
    equal((code, out), (3, ""))
    contains(seen, "GB/s")
    contains(seen, ERASE + "-:")
    equal(seen.endswith("'2x' is not a number\r\n"), True, repr(seen[-80:]))


if __name__ == "__main__":
    main()
