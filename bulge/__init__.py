"""Board wargames on the Battle of the Bulge, every rule enforced."""

__version__ = "0.1.0"
