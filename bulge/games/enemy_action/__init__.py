"""Enemy Action: Ardennes, played alone on the Allied side."""
