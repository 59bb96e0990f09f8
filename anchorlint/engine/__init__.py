"""Files in, findings out: settings, discovery, cache, run, suppression."""
