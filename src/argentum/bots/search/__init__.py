"""Search: race candidate moves over sampled deals."""
