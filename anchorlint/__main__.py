"""Makes `python -m anchorlint` the command."""

from anchorlint.main import main

if __name__ == "__main__":
    main()
