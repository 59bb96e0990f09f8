"""The words that every layer shares: places, findings, time quantities and schedules; no input and no output."""
