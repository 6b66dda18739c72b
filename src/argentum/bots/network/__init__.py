"""Network inference without PyTorch."""
