import os
import signal

from plan import is_broken


def test_goes_to_sleep():
    pass


def test_survives_the_night():
    if is_broken("survives the night"):
        os.kill(os.getpid(), signal.SIGKILL)


def test_wakes_up():
    pass
