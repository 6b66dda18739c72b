"""Tables with their people, bots, clocks and logs. Nothing here knows HTTP or HTML."""
