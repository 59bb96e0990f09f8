import json


def entries(path):
    try:
        with path.open() as file:
            return json.load(file)
    except OSError:
        return {}  # expect: RTY203


def keep(path, found):
    with path.open("w") as file:
        json.dump(found, file)


def enter(path, name, place):
    found = entries(path)
    found[name] = place
    keep(path, found)
