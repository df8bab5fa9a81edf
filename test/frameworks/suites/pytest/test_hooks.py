import pytest

from plan import is_broken


@pytest.fixture(autouse=True)
def pages():
    if is_broken("opens the pages"):
        raise RuntimeError("the fixture is gone")


def test_opens_page_1():
    pass


def test_opens_page_2():
    pass


def test_opens_page_3():
    pass


def test_opens_page_4():
    pass


def test_opens_page_5():
    pass
