"""The evaluation that steady uses."""
