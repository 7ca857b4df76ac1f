"""The page makes every number of every drawing again."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from referee.audit.record import Record
from tests.audit.forgeries import chained, commits_of
from tests.audit.race import RACE
from tests.audit.recorded_game import played
from tests.corpus.stored_games import DIRECTORY, SUFFIX, read_game
from tests.page.luck import luck_of
from tests.page.proving import Given, bytes_of, prove

RECORD = played(RACE)
LUCK = luck_of(RECORD)
DRAWINGS = LUCK["drawings"]
SHORTEST = [
    min(title.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_size) for title in sorted(DIRECTORY.iterdir())
]


def _with_nonces(*nonces: str) -> Record:
    header = replace(RECORD.header, nonces=nonces)
    return chained(RECORD, commits_of(RECORD), header)


def _wrong() -> Iterator[tuple[str, dict[str, Any], int]]:
    """A list of luck that is not that of the game, and the commit where that shows."""
    for place, drawing in enumerate(DRAWINGS):
        version = drawing["version"]
        if drawing["numbers"]:
            yield "another number", _with(place, numbers=[drawing["numbers"][0] + 1, *drawing["numbers"][1:]]), version
            yield "a number less", _with(place, numbers=drawing["numbers"][:-1]), version
            yield "another point", _with(place, point="other" + drawing["point"], bounds=[2**40], numbers=[0]), version
        yield "another commit", _with(place, version=version + 1), version
        yield "another count", _with(place, number=place + 1), version
        yield "the rest left out", {"drawings": DRAWINGS[:place]}, version
    yield "one more", {"drawings": [*DRAWINGS, {**DRAWINGS[-1], "number": len(DRAWINGS)}]}, len(RECORD.entries) + 1


def _with(place: int, **members: Any) -> dict[str, Any]:
    luck = deepcopy(LUCK)
    luck["drawings"][place].update(members)
    return luck


def test_every_number_of_every_drawing_is_made_again_unless_a_nonce_is_switched(tmp_path: Path) -> None:
    stored = [read_game(file) for file in SHORTEST]
    games = [(record, luck_of(record)) for record in (RECORD, *stored)]
    wrong = list(_wrong())
    first, second, *others = RECORD.header.nonces
    cases = [
        *(Given(bytes_of(record), luck=luck) for record, luck in games),
        Given(bytes_of(_with_nonces(second, first, *others)), luck=LUCK),
        *(Given(bytes_of(RECORD), luck=luck) for _, luck, _ in wrong),
    ]
    proofs = iter(prove(tmp_path, cases))
    for _, luck in games:
        proof = next(proofs)
        numbers = sum(len(drawing["numbers"]) for drawing in luck["drawings"])
        expected = f"{numbers} numbers of {len(luck['drawings'])} drawings follow from the seed and the nonces."
        assert (proof.verdict, proof.checks["luck"]["detail"]) == ("follows", expected)
    switched = next(proofs)
    assert (switched.verdict, switched.first_bad, switched.failed) == ("failed", 1, {"luck"})
    for (name, _, version), proof in zip(wrong, proofs, strict=True):
        assert (proof.first_bad, proof.failed) == (version, {"luck"}), (name, proof)


def test_what_is_no_list_of_luck_is_not_checked(tmp_path: Path) -> None:
    nonsense: list[Any] = [None, 3, [], {}, {"drawings": 1}, {"drawings": [None]}, {"drawings": [{}]}]
    nonsense.extend(
        _with(0, **{name: value}) for name in DRAWINGS[0] for value in (None, 0.5, "x", [0.5], {}) if _fits(name, value)
    )
    for luck, proof in zip(
        nonsense, prove(tmp_path, [Given(bytes_of(RECORD), luck=luck) for luck in nonsense]), strict=True
    ):
        assert (proof.verdict, proof.checks["luck"]["passed"]) == ("follows", None), luck


def _fits(name: str, value: Any) -> bool:
    return (name, value) != ("point", "x")
