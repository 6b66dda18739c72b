"""Silver Pewter, an invented box for Argentum."""
