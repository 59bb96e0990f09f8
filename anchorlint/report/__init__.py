"""Findings to text: one module for each output format."""
