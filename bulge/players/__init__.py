"""Computer players. A player is asked with a match whose decision is its own, and answers with a choice."""
