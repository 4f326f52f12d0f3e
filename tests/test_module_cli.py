"""A module's device, as the command shows it: the fake ones of fake_module.c."""
import os

from cli import as_json, claim, contains, equal, main, refuses, tally

FAKES = os.path.join(os.environ["BUILD_DIR"], "tests", "fake")


def look_in(name):
    os.environ["TALLY_BACKEND_PATH"] = os.path.join(FAKES, name)


@claim
def a_device_is_shown():
    look_in("good")
    contains(tally("info").out, "cuda   here: a fake\n")
    equal(as_json("info")["backends"]["cuda"],
          {"status": "here", "device": "a fake", "devices": 2, "driver": 12, "runtime": 34,
           "module": os.path.join(FAKES, "good", "libtally-cuda.so")})
    # of nothing the tree needs no device's help
    got = as_json("sum", "--level", "tree", "--backend", "cuda", stdin="")
    equal((got["value"], got["backend"], got["device"]), (0, "cuda", "a fake"))


@claim
def a_failing_device_ends_with_4_and_its_own_words():
    look_in("good")
    refuses(4, "fakeLaunch failed with 42: it broke", "sum", "--level", "tree", "--backend", "cuda",
            stdin="1 2")
    ran = tally("verify", "--quick", "--backend", "cuda")
    equal(ran.code, 1)
    contains(ran.err, "TALLY_ERR_DEVICE (it broke), the trace: TALLY_OK")
    contains(ran.out, "(a fake)\n")


@claim
def a_device_that_is_not_there_is_refused():
    look_in("good")
    refuses(4, "compiled only: there is no such device", "sum", "--level", "tree", "--backend",
            "cuda", "--device", "2", stdin="1 2")
    refuses(4, "compiled only: there is no such device", "verify", "--backend", "cuda", "--device",
            "2")


@claim
def level_exact_says_that_it_is_not_on_devices_yet():
    look_in("good")
    refuses(2, "--backend cuda runs trees only", "sum", "--backend", "cuda", stdin="1 2")


@claim
def faults_are_never_made_on_a_device():
    look_in("good")
    refuses(2, "never on a real backend", "sum", "--level", "tree", "--backend", "cuda", "--fault",
            "no-barrier", stdin="1 2")


@claim
def a_module_of_another_version_is_not_used():
    look_in("old")
    refuses(4, "not built: the module is not of this version", "sum", "--backend", "cuda",
            stdin="1 2")
    look_in("broken")
    refuses(4, "compiled only: ", "sum", "--backend", "cuda", stdin="1 2")


@claim
def auto_takes_the_cpu_and_says_so():
    look_in("good")
    got = as_json("sum", "--backend", "auto", stdin="1 2")
    equal((got["value"], got["backend"], got["device"]), (3, "cpu", None))


if __name__ == "__main__":
    main()
