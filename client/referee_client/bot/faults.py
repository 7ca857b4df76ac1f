"""What stops the runner, each with a sentence for people and an exit status."""


class Stop(Exception):
    """The runner ends with this status; 0: it has done what it was asked to do."""

    status = 0


class Usage(Stop):
    """An argument, the configuration or the key file is wrong."""

    status = 2


class KeyRefused(Stop):
    """The service no longer accepts the key."""

    status = 3


class NoService(Stop):
    """The service cannot be reached at the start."""

    status = 4


class AnotherRunner(Stop):
    """Another runner on this machine plays with the same key file."""

    status = 5


class UnusableBot(Stop):
    """The bot cannot be loaded or started."""

    status = 6


class NoMove(Exception):
    """The bot chose no move that can be made. The game goes on with the default move."""
