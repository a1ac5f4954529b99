"""What games of units on hexes share: who is where, stacks and zones, sequence of play, attackers, what is shown.

Games take from this shelf what fits and keep their own laws: battles, results and retreats only look alike.
"""
