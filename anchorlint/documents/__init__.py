"""Text to trees with positions: TOML, YAML, JSON and SQL."""
