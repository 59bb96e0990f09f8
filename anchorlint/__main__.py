"""Makes `python -m anchorlint` the command."""

from anchorlint.main import command

if __name__ == "__main__":
    command()
