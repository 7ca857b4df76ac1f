"""The HTTP API, which passes requests to the service and returns its answers."""
