"""Games between bots without a server, with every title, number of seats, option and edition."""

from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace

from referee.audit.record import read_record, write_record
from referee.audit.verify import audit
from referee.kernel.ruleset import Ruleset
from referee.offline.game import BEGINNING, offline_game, recorded_game
from referee.offline.play import Played, bots_for, next_commit, play_game, play_result
from referee.rulesets import LATEST, TITLES
from referee.rulesets.editions import editions_of
from referee.table.match import first_state, fold
from referee.table.times import milliseconds
from tests.conformance.play import accepts

LIVE = "fangfrisch"

VARIANTS = [
    pytest.param(ruleset, options, edition, id=f"{ruleset.slug}-{edition}-{number}")
    for title in TITLES
    for edition, ruleset in editions_of(title).items()
    for number, options in enumerate(ruleset.variants)
]
SEATS = [pytest.param(title, seats, id=f"{title.slug}-{seats}") for title in TITLES for seats in title.seats]


def bots_of(ruleset: Ruleset, seats: int) -> tuple[str, ...]:
    """Return a bot for each seat, of all kinds that can play the title."""
    known = [bot for bot in bots_for(ruleset) if bot in ("greedy", "random")]
    return tuple(known[seat % len(known)] for seat in range(seats))


def lines(played: Played) -> list[bytes]:
    return list(write_record(played.record.header, played.record.entries, played.record.secret))


@pytest.mark.parametrize(("ruleset", "options", "edition"), VARIANTS)
def test_games_with_every_option_and_edition_end(ruleset: Ruleset, options: object, edition: str) -> None:
    seats = next(seats for seats in ruleset.seats if accepts(ruleset, options, seats))
    result = play_result(ruleset, options, bots_of(ruleset, seats), "every-1")
    assert sorted(result.ranks)[0] == 1
    assert len(result.ranks) == len(result.scores) == seats


@pytest.mark.parametrize(("title", "seats"), SEATS)
def test_the_audit_proves_games_with_every_number_of_seats(title: Ruleset, seats: int) -> None:
    played = play_game(title, title.variants[0], bots_of(title, seats), "7-1")
    report = audit(read_record(lines(played)))
    assert report.verdict == "proved", report
    assert len(played.record.entries) == played.result.commits


def test_the_audit_proves_games_with_every_edition() -> None:
    for name, ruleset in editions_of(TITLES[0]).items():
        played = play_game(ruleset, ruleset.variants[0], bots_of(ruleset, 2), "7-1")
        assert audit(read_record(lines(played))).verdict == "proved", name


def test_play_result_returns_the_result_of_play_game() -> None:
    for title in TITLES:
        bots = bots_of(title, 3)
        assert play_result(title, title.variants[0], bots, "s") == play_game(title, title.variants[0], bots, "s").result


def test_the_same_seed_leads_to_the_same_bytes_and_another_seed_does_not() -> None:
    title = LATEST["catham-city"]
    again = [lines(play_game(title, title.variants[0], ("random", "greedy"), seed)) for seed in ("a", "a", "b")]
    assert again[0] == again[1]
    assert again[0] != again[2]


def test_other_bots_play_with_the_same_luck() -> None:
    title = LATEST["catham-city"]
    games = [offline_game(title, title.variants[0], bots, "a") for bots in (("random", "greedy"), ("greedy", "random"))]
    assert games[0].secret == games[1].secret
    assert games[0].id != games[1].id


def test_a_live_game_takes_the_time_that_its_rules_demand() -> None:
    title = LATEST[LIVE]
    (options,) = (each for each in title.variants if each.pace == "live" and each.first_seat is None)
    played = play_game(title, options, bots_of(title, 3), "7-1")
    commits = [msgspec.json.decode(entry.body) for entry in played.record.entries]
    waits = [
        milliseconds(commit["at"]) - milliseconds(before["at"])
        for before, commit in pairwise(commits)
        if commit["move"]["type"] == before["move"]["type"] == "show_offer"
    ]
    assert waits and set(waits) == {options.reveal_seconds * 1000}
    assert audit(played.record).verdict == "proved"


def test_games_begin_at_a_fixed_time() -> None:
    played = play_game(TITLES[0], TITLES[0].variants[0], bots_of(TITLES[0], 2), "7-1")
    assert f'"at":"{BEGINNING}"'.encode() in played.record.entries[0].body
    assert milliseconds(BEGINNING) == 946_684_800_000


def test_a_game_is_played_on_from_its_record() -> None:
    for title in TITLES:
        played = play_game(title, title.variants[0], bots_of(title, 3), "7-1")
        game = recorded_game(played.record)
        state = fold(game, first_state(game), played.record.entries[:10])
        assert state.version == 10
        assert next_commit(game, state).entry == played.record.entries[10]


def test_a_record_that_cannot_be_played_on_is_refused() -> None:
    record = play_game(TITLES[0], TITLES[0].variants[0], bots_of(TITLES[0], 2), "7-1").record
    with pytest.raises(ValueError, match="secret is missing"):
        recorded_game(replace(record, secret=None))
    for changes in ({"version": "99"}, {"edition": "0" * 64}):
        with pytest.raises(ValueError, match="This package does not have version"):
            recorded_game(replace(record, header=replace(record.header, **changes)))
