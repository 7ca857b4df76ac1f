"""Who wins a contested lot: neither distance nor a place in a loop decides (FF-39, FF-41).

Simulated clients ring at fixed times, so that nothing here depends on the speed of the machine.
"""

from itertools import combinations, count
from math import sqrt
from typing import Any

import msgspec
import pytest

from referee.audit.record import Record
from referee.audit.verify import audit
from referee.kernel.chance import Derived
from referee.kernel.seat import Seat
from referee.offline.game import of_players, offline_game
from referee.rulesets import LATEST
from referee.service import races
from referee.service.commits import append
from referee.service.game import Game, Holder
from referee.service.repository import Repository
from referee.store.memory_log import MemoryLog
from referee.table.commits import prepare_due, prepare_move
from referee.table.match import State, first_state, read_commit
from tests.audit.forgeries import detail, failing
from tests.clauses import clause
from tests.live.tables import auction

RULES = LATEST["fangfrisch"]
LOTS = 600
REACTION_MS = 450
DELAYS_MS = {1: 5, 2: 60, 3: 150, 4: 250}
"""By seat: the time from the showing of a card until a ring that a client sends at once arrives."""


class Bell:
    """A game in a process of its own, with a card shown at time 0."""

    def __init__(self, seed: str, window_ms: int = 300, reveal_seconds: int = 4) -> None:
        position = auction(5, reveal_seconds, window_ms)
        options = msgspec.convert(position["options"], RULES.options_type)
        offline = of_players(offline_game(RULES, options, ["random"] * 5, seed))
        self.game = Game(
            id=offline.id,
            ruleset=RULES.slug,
            version=RULES.version,
            edition=offline.edition,
            options=offline.options,
            seats=tuple(Holder(player=f"p_{seat}") for seat in range(5)),
            created_at=offline.created_at,
            created_by="p_0",
            secret=offline.secret,
            terms=offline.terms,
            position=position,
            status="running",
        )
        self.repository = Repository(MemoryLog(), directory=None, nudge=lambda id: None)  # type: ignore[arg-type]
        self.state: State = first_state(self.game)
        self.shown_at = self.state.at
        self.window_ms = window_ms

    def ring(self, seat: int, after_ms: int) -> bool:
        """Let a ring arrive this long after the card was shown; returns whether it competes."""
        move = msgspec.Raw(msgspec.json.encode({"type": "ring", "seen": 1}))
        entrant = races.Entrant(seat, move, self.shown_at + after_ms, f"ring:{seat}", "")
        return races.enter(self.repository, self.game, self.state, entrant, self.window_ms)[0]

    def close(self) -> None:
        """Close the race when its time is up."""
        race = self.repository.log.race(self.game.id)
        assert race is not None
        races.close(self.repository, self.game, race.closes)

    @property
    def commits(self) -> list[Any]:
        return [read_commit(self.game, entry) for entry in self.repository.log.read(self.game.id, 0)]

    @property
    def buyer(self) -> int:
        """The seat that bought the lot."""
        return int(self.repository.newest(self.game).position.last_lot.buyer)


def wins(delays_ms: dict[int, int], lots: int) -> dict[int, int]:
    """How many of these lots each client won that rings for every one, with the same reaction time."""
    won = dict.fromkeys(delays_ms, 0)
    for number in range(lots):
        bell = Bell(f"lot {number}")
        for seat, delay_ms in sorted(delays_ms.items(), key=lambda each: each[1]):
            assert bell.ring(seat, REACTION_MS + delay_ms)
        bell.close()
        won[bell.buyer] += 1
    return won


@clause("FF-39", "FF-41", "FF-R38")
def test_clients_near_and_far_win_equal_shares_of_contested_lots() -> None:
    """Delays of 5 to 250 ms and equal reaction times: no two shares differ by three standard errors."""
    won = wins(DELAYS_MS, LOTS)
    assert sum(won.values()) == LOTS
    for one, other in combinations(won.values(), 2):
        error = sqrt((one + other) / LOTS / LOTS)
        assert abs(one - other) / LOTS < 3 * error, won


@clause("FF-41")
def test_a_ring_after_the_window_does_not_compete() -> None:
    bell = Bell("late")
    assert bell.ring(1, 100)
    assert bell.ring(2, 400)
    assert not bell.ring(3, 401)
    bell.close()
    assert {commit.actor for commit in bell.commits} == {1, 2, "referee"}


@clause("FF-R40")
def test_a_ring_that_arrives_when_a_card_is_due_does_not_count_and_no_card_is_shown_before_the_sale() -> None:
    """The card does not come, which tells those nearby that a seat has rung; they cannot join it."""
    bell = Bell("due", reveal_seconds=4)
    assert bell.ring(1, 3900)
    assert bell.ring(2, 3999)
    assert not bell.ring(3, 4000)
    assert not bell.ring(4, 4001)
    bell.close()
    types = [event.__struct_config__.tag for commit in bell.commits for event in commit.events]
    assert types[:3] == ["answer_given", "answer_given", "answers_shown"]
    assert "card_revealed" not in types
    assert bell.commits[0].at.endswith("04.200Z"), "when the window of the first ring ends"


@clause("FF-39")
def test_anyone_can_compute_the_buyer_from_the_record() -> None:
    for number in count():
        bell = Bell(f"record {number}")
        for seat in (3, 1, 4):
            bell.ring(seat, 500 + seat)
        bell.close()
        if bell.buyer != 1:
            break
    *rings, closing = bell.commits
    drawn = Derived(bell.game.chance_key, 0).pick("draw_buyer", sorted(Seat(ring.actor) for ring in rings), 1)
    assert drawn == (bell.buyer,)
    assert closing.draws == 1
    assert [ring.cause["received"][-7:] for ring in rings] == ["00.501Z", "00.503Z", "00.504Z"]


@pytest.mark.parametrize(
    ("received", "fault"),
    [
        ("2000-01-01T00:00:00.801Z", "the race lasted until"),
        ("2000-01-01T00:00:00.499Z", "the race lasted until"),
        ("2000-01-01T00:00:09.000Z", "received after it was made"),
        ("soon", "not a time"),
    ],
)
def test_the_audit_finds_a_ring_that_competed_out_of_time(received: str, fault: str) -> None:
    bell = Bell("forged")
    bell.ring(1, 500)
    bell.ring(2, 600)
    race = bell.repository.log.race(bell.game.id)
    assert race is not None
    first, second = races.entrants_of(race)
    state = bell.state
    entries = []
    for entrant, at in ((first, "2000-01-01T00:00:00.500Z"), (second, received)):
        attempt = bell.game.rules.read_move(bytes(entrant.move))
        made = prepare_move(bell.game, state, Seat(entrant.seat), attempt, {"received": at}, race.closes + 1000)
        entries.append(made.entry)
        if entrant is first:
            state = made.state
    report = audit(Record(bell.game.header, tuple(entries), bell.game.secret))
    assert "moves" in failing(report)
    assert fault in detail(report, "moves")


def test_a_race_is_made_once_although_several_processes_close_it() -> None:
    bell = Bell("twice")
    bell.ring(1, 500)
    bell.ring(2, 510)
    other = Repository(bell.repository.log, directory=None, nudge=lambda id: None)  # type: ignore[arg-type]
    races.close(other, bell.game, bell.shown_at + 799)
    assert bell.commits == [], "too early"
    races.close(other, bell.game, bell.shown_at + 800)
    races.close(bell.repository, bell.game, bell.shown_at + 800)
    assert [commit.actor for commit in bell.commits] == [1, 2, "referee"]


def test_a_ring_for_an_offer_that_is_gone_when_the_race_closes_is_dropped() -> None:
    """An admin's restart or an undo can change the position while rings wait."""
    bell = Bell("gone")
    bell.ring(1, 500)
    shown = prepare_due(bell.game, bell.state, bell.shown_at + 4000)
    assert shown is not None
    append(bell.repository, bell.game, shown)
    bell.close()
    assert [commit.move.__struct_config__.tag for commit in bell.commits] == ["show_offer"]
