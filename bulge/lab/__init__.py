"""The laboratory: games by the thousand, what they say, and doors for those who teach machines to play."""
