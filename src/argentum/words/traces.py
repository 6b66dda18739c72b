"""What was done to a card, for those who did not see it happen. The braces hold the name of who did it."""

LOOKED = "{} looked at it"
SWITCHED = "{} switched it"
PUT = "{} put it here"
TURNED = "{} turned it over"
