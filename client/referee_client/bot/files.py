"""The files that the runner writes, each checked at the start: a fault must not wait for the first game."""

from referee_client.bot.config import Config
from referee_client.bot.faults import Usage
from referee_client.luck import Links


def prepare_logs(config: Config) -> None:
    """Create the directory for what the bot writes to its error output; raises Usage."""
    directory = config.path(config.logs)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Usage(f"The directory {directory} of `logs` cannot be created: {error.strerror}.") from None


def open_links(config: Config) -> Links:
    """Open the file that keeps what the bot has sealed, beside the key file; raises Usage."""
    file = config.path(f"{config.key_file}.links")
    try:
        links = Links(file)
        links.store()
    except OSError as error:
        raise Usage(
            f"The file {file}, which keeps what the bot has sealed, cannot be written: {error.strerror}. "
            "Put the key file into a directory in which referee-bot may write."
        ) from None
    except ValueError:
        raise Usage(
            f"The file {file} is damaged. Without it, games that wait for what the bot has sealed are annulled. "
            "If you accept that, remove the file."
        ) from None
    return links
