"""Reads rules/: cards, models and words."""
