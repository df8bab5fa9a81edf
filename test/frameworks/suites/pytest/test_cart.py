import socket

from plan import is_broken
from shop import order, tax_of

tried = []


def test_adds_a_line():
    assert tax_of(10) == 2


def test_rounds_the_tax():
    assert tax_of(10) == (3 if is_broken("rounds the tax") else 2)


def test_rounds_the_discount():
    assert tax_of(10) == (3 if is_broken("rounds the discount") else 2)


def test_bills_the_card():
    assert order({} if is_broken("bills the card") else {"number": "42"}) == 2


def test_refunds_the_card():
    assert order({} if is_broken("refunds the card") else {"number": "42"}) == 2


def test_merges_the_carts():
    if is_broken("merges the carts"):
        raise ValueError("<<<<<<< HEAD\nmilk\n=======\nbread\n>>>>>>> feature")


def test_asks_the_bank():
    if is_broken("asks the bank"):
        socket.getaddrinfo("bank.invalid", 443)


def test_syncs_the_stock():
    assert ("late" if is_broken("syncs the stock") else "in time") == "in time"


def test_loads_the_map():
    tried.append(1)
    assert ("blank" if is_broken("loads the map") and len(tried) == 1 else "map") == "map"


def test_prints_the_receipt():
    assert ("no paper" if is_broken("prints the receipt") else "paper") == "paper"
