"""Search over sampled deals."""
