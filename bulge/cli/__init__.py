"""The command `bulge`."""
