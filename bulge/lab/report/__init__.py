"""What runs say: shares with intervals, curves and maps, as one page that can be printed, and as pictures."""
