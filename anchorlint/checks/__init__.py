"""One module for each rule, of the same stem as its card."""
