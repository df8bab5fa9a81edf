from plan import is_broken

if is_broken("reads the rates"):
    raise RuntimeError("the rates cannot be loaded")


def test_reads_the_rates():
    pass
