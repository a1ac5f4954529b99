"""Matches over HTTP and WebSocket, for browsers on this machine or on the local network."""
