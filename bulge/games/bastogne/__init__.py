"""Bastogne: the siege, played alone on the American side."""
