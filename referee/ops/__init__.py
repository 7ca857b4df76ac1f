"""What an operator runs: the servers, their logs, and backups."""
