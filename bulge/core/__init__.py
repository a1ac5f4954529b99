"""The engine: boards, movement, supply, chance, decisions, matches. It knows no game."""
