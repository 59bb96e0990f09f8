"""anchorlint finds jobs that fail for ever because two times that meet are anchored to different clocks."""

__version__ = "0.1.0"
