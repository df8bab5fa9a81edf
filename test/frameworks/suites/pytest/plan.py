import json
import os

with open("plan.json") as file:
    BROKEN = json.load(file)["broken"]


def is_broken(name):
    return os.environ["STEP"] in BROKEN[name]
