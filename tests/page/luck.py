"""The drawings of a game, as GET /v1/games/{id}/luck lists them."""

from typing import Any
from unittest.mock import patch

from referee.audit.record import Record, read_commit
from referee.audit.verify import audit
from referee.kernel import chance
from tests.audit.forgeries import KNOWN


class _Watched(chance.Source):
    """A row of words that remembers its numbers."""

    rows: "list[_Watched]"

    def __init__(self, key: bytes, label: str) -> None:
        super().__init__(key, label)
        self.key, self.label = key, label
        self.drawn: list[tuple[int, int]] = []
        self.rows.append(self)

    def below(self, bound: int) -> int:
        self.drawn.append((bound, super().below(bound)))
        return self.drawn[-1][1]


def luck_of(record: Record) -> dict[str, Any]:
    """Every drawing of a proved game, made again by its rules."""
    assert record.secret is not None
    _Watched.rows = []
    with patch.object(chance, "Source", _Watched):
        assert audit(record, KNOWN).verdict == "proved"
    key = record.secret.chance_key(record.header.nonces)
    rows = {int(row.label.partition(":")[0]): row for row in reversed(_Watched.rows) if row.key == key}
    versions = [entry.version for entry in record.entries for _ in range(read_commit(entry.body).draws)]
    assert sorted(rows) == list(range(len(versions)))
    return {
        "drawings": [
            {
                "number": number,
                "version": version,
                "point": rows[number].label.partition(":")[2],
                "bounds": [bound for bound, _ in rows[number].drawn],
                "numbers": [drawn for _, drawn in rows[number].drawn],
            }
            for number, version in enumerate(versions)
        ]
    }
