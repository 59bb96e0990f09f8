"""Python text to facts, and facts to a linked program."""
