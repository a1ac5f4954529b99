"""Ardennes '44: half-day turns, battalions and regiments, two map sheets."""
