"""Hail claims, decided by what the weather radar saw."""
