"""Tests that need the box of `examples/fifth_box`; `tests/project/test_fifth_box.py` runs them with it."""

from argentum.rules.boxes import BOX_NAMES

collect_ignore_glob = [] if "pewter" in BOX_NAMES else ["test_*.py"]
