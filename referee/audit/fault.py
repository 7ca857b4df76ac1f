"""The exception that an audit raises at the first fault."""


class Fault(Exception):
    """A fault in the commit at this place of the record; 0 is the header."""

    def __init__(self, version: int, detail: str) -> None:
        super().__init__(version, detail)
        self.version = version
        self.detail = detail
