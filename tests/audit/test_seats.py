"""What the header says of the seats, and what lies beside the log: seals, holders, texts."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from referee.audit.record import Beside, Record, Unreadable, read_record, write_record
from referee.audit.verify import audit
from referee.kernel.canon import digest
from referee.kernel.seat import REFEREE
from referee.table.moves import AnnulGame, GameAnnulled, GamePaused, GameResumed, PauseGame, ResumeGame
from referee.table.record import HeldBy, Text, nonce_of, seal_of
from referee.table.terms import TABLE_VERSION, Terms
from tests.audit.forgeries import KNOWN, audited, detail, failing
from tests.audit.race import RACE
from tests.audit.recorded_game import Play, holder_of

LINKS = tuple(digest(b"link %d" % seat) for seat in range(3))
SEALS = tuple(seal_of("g_test", link) for link in LINKS)
TEXTS = tuple(Text(salt=digest(text.encode()), text=text) for text in ("Tea.", "Enough tea.", "Fire!"))
HOLDERS = tuple((seat, holder_of(seat)) for seat in range(3))


def sealed(unrevealed: Any = "annul", **header: Any) -> Record:
    """A game in which all three seats sealed their nonces, with another header."""
    play = Play(RACE, terms=Terms(bots=(None,) * 3, table=TABLE_VERSION, unrevealed=unrevealed))
    play.header = replace(play.header, **{"nonces": LINKS, "seals": SEALS, **header})
    return play.to_the_end(random.Random(1)).record


def interrupted() -> Record:
    """A game with three reasons of an admin, and all that lies beside its log."""
    play = Play(RACE).move(REFEREE, RACE.due(Play(RACE).position).move)
    kinds = ((PauseGame, GamePaused), (ResumeGame, GameResumed), (AnnulGame, GameAnnulled))
    for text, (move, event) in zip(TEXTS, kinds, strict=True):
        play.commit("admin", move(reason=text.hash), (event(reason=text.hash),))
    return replace(play.record, beside=Beside(HOLDERS, TEXTS))


def lines_of(record: Record) -> list[bytes]:
    return list(write_record(record.header, record.entries, record.secret, record.beside))


def test_nonces_that_open_their_seals_are_proved() -> None:
    report = audited(sealed())
    assert report.verdict == "proved"
    assert detail(report, "seals") == "3 of 3 sealed nonces were revealed and open their seals."


@pytest.mark.parametrize(
    "header",
    [
        {"nonces": (LINKS[1], LINKS[0], LINKS[2])},
        {"nonces": (nonce_of("shopped for"), *LINKS[1:])},
        {"seals": (SEALS[0], SEALS[1], digest(b"another seal"))},
        {"seals": (SEALS[0], SEALS[1], seal_of("g_other", LINKS[2]))},
    ],
)
def test_a_nonce_that_does_not_open_its_seal_fails_although_all_luck_follows_from_it(header: dict[str, Any]) -> None:
    for unrevealed in ("annul", "without"):
        report = audited(sealed(unrevealed, **header))
        assert (failing(report), report.first_bad_version) == ({"seals"}, 0)


def test_a_nonce_that_was_not_revealed_is_the_services_word_and_needs_terms_that_allow_it() -> None:
    missing = {"nonces": (LINKS[0], "", LINKS[2])}
    report = audited(sealed("without", **missing))
    assert report.verdict == "proved"
    assert detail(report, "seals").endswith("The service says that seat 1 did not reveal.")
    report = audited(sealed("annul", **missing))
    assert failing(report) == {"seals"}
    assert "Seat 1 did not reveal its nonce" in detail(report, "seals")


def test_what_lies_beside_the_log_is_read_back_and_may_be_missing() -> None:
    record = interrupted()
    lines = lines_of(record)
    assert read_record(lines) == record
    whole = audit(record, KNOWN)
    assert whole.verdict == "proved"
    beside = lines[-6:]
    for mask in range(64):
        left = [line for number, line in enumerate(beside) if mask >> number & 1]
        assert audit(read_record([*lines[:-6], *left]), KNOWN) == whole


FORGED = {
    "another player": Beside(((0, HeldBy("p_9", holder_of(0).salt)), *HOLDERS[1:])),
    "players exchanged": Beside(((0, HOLDERS[1][1]), (1, HOLDERS[0][1]))),
    "another salt": Beside(((0, HeldBy("p_0", "0" * 64)),)),
    "a seat that is not there": Beside(((3, holder_of(3)),)),
    "another text": Beside(texts=(Text(TEXTS[0].salt, "Tee."),)),
    "texts out of order": Beside(texts=(TEXTS[1], TEXTS[0])),
    "a text twice": Beside(texts=(TEXTS[0], TEXTS[0])),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_lies_beside_the_log_fits_its_hash(name: str) -> None:
    report = audit(read_record(lines_of(replace(interrupted(), beside=FORGED[name]))), KNOWN)
    assert (report.verdict, report.first_bad_version) == ("failed", 0)
    assert failing(report) == ({"chain"} if "text" in name else {"header"})


def test_lines_beside_the_log_have_their_place() -> None:
    *game, secret, ada, bob, zoe, tea, enough, fire = lines_of(interrupted())
    for lines in (
        [*game, ada, secret],
        [*game, tea],
        [*game, secret, bob, ada],
        [*game, secret, ada, ada],
        [*game, secret, tea, ada],
        [*game, secret, ada.replace(b'"seat":0', b'"seat":0.0')],
        [*game, secret, tea.replace(b'"text":"Tea."', b'"text":null')],
        [*game, secret, zoe, enough, fire, secret],
    ):
        with pytest.raises(Unreadable):
            read_record(lines)


def test_a_reason_in_plain_text_cannot_enter_the_log() -> None:
    play = Play(RACE).move(REFEREE, RACE.due(Play(RACE).position).move)
    report = audited(
        play.commit("admin", AnnulGame(reason="Ada is late."), (GameAnnulled(reason="Ada is late."),)).record
    )
    assert failing(report) == {"moves"}


def test_a_link_has_no_place_where_luck_is_fixed() -> None:
    play = Play(RACE)
    commit = play.claim(REFEREE, RACE.due(play.position).move, ())
    play._append(replace(commit, link=LINKS[0]))
    report = audited(play.record)
    assert "has a link, which moves have only where luck is fresh" in detail(report, "moves")
