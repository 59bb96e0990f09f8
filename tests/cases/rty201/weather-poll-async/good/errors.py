class Unserved(Exception):
    """A station gave no reading."""
