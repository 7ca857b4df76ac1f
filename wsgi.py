"""The application, for gunicorn."""

from referee.app import create_app

app = create_app()
