"""The HTTP API: it carries requests to the service and answers back; it does not referee."""
