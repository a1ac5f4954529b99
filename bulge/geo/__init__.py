"""The real geography of the Ardennes, as data that maps are derived from."""
