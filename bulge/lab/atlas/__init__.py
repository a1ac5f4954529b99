"""The atlas: one battle, several models of it, on one ground."""
