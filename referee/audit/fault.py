"""What an audit finds wrong."""


class Fault(Exception):
    """The first commit, counted by its place in the record, that does not follow; 0 is the header."""

    def __init__(self, version: int, detail: str) -> None:
        super().__init__(version, detail)
        self.version = version
        self.detail = detail
