"""The Ardennes Offensive: eighteen days, regiments and divisions."""
