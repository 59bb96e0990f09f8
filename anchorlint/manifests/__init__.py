"""Schedule manifests and recorded runs to one model."""
