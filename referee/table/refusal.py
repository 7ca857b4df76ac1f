"""The refusal of a move by the rules of the table."""

from typing import Any


class TableRefusal(Exception):
    """A move that cannot be made at the table; the client gets the code, the detail and the members."""

    def __init__(self, code: str, detail: str, **members: Any) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.members = members
