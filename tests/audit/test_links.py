"""Fresh luck: each drawing of a player follows from the next link of its seat, too."""

import random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from referee.audit.record import Record
from referee.kernel.canon import digest
from referee.kernel.chance import Derived
from referee.kernel.seat import REFEREE, Seat
from referee.table.commits import luck_key
from referee.table.fresh import first_luck
from referee.table.moves import Reseal, SeatResealed
from referee.table.record import seal_of
from referee.table.state import after_move, start_table
from referee.table.terms import TABLE_VERSION, Terms
from tests.audit.forgeries import audited, chained, commits_of, detail, failing
from tests.audit.race import RACE, PlayCard, Roll
from tests.audit.recorded_game import Play
from tests.chains import links_of

CHAINS = tuple(links_of("g_test", digest(b"chain %d" % seat)) for seat in range(3))
NEW_CHAIN = links_of("g_test", digest(b"a new chain"))


class FreshPlay(Play):
    """A game in which every move that draws brings the next link of its seat."""

    def __init__(self, unrevealed: tuple[int, ...] = (), bots: tuple[str | None, ...] = (None,) * 3) -> None:
        super().__init__(RACE, terms=Terms(bots=bots, table=TABLE_VERSION, luck="fresh", unrevealed="without"))
        nonces = tuple("" if bot or seat in unrevealed else CHAINS[seat][0] for seat, bot in enumerate(bots))
        seals = tuple(None if bot else seal_of("g_test", CHAINS[seat][0]) for seat, bot in enumerate(bots))
        self.header = replace(self.header, nonces=nonces, seals=seals)
        self.key = self.secret.chance_key(nonces)
        self.table = start_table(self.terms, first_luck(self.header, self.key))
        self.chains = list(CHAINS)

    def next_link(self, actor: Any, cause: Any) -> str | None:
        """The link that a move of this actor carries."""
        luck = self.table.luck
        chain = None if luck is None or not isinstance(actor, int) or cause else luck.chains[actor]
        return None if chain is None or not chain.counts else self.chains[actor][chain.index]

    def move(self, actor: Any, move: Any, cause: Any = None, link: Any = UNSET) -> "Play":
        """Make a move, with the next link unless another one or None is given."""
        sent = self.next_link(actor, cause) if link is UNSET else link
        chance = Derived(luck_key(self.key, self.table, actor, sent), self.table.drawn)
        before = self.position
        events, self.position = self.ruleset.play(before, actor, move, chance)
        used = UNSET if sent is None or not chance.drawn else sent
        commit = replace(self.claim(actor, move, events, cause), draws=len(chance.drawn), link=used)
        self.table = after_move(self.ruleset, self.terms, self.table, commit, self.at_ms, before, self.position)
        return self._append(commit)

    def started(self) -> "FreshPlay":
        """The game after its set-up."""
        self.move(REFEREE, RACE.due(self.position).move)
        return self

    def reseal(self, seat: int, chain: list[str]) -> None:
        """Seal a new chain for a seat."""
        self.chains[seat] = chain
        seal = seal_of("g_test", chain[0])
        self.commit(seat, Reseal(seal=seal), (SeatResealed(seat=Seat(seat), seal=seal),))


def proved(play: Play) -> str:
    """What the audit says of the drawings of a proved game."""
    report = audited(play.to_the_end(random.Random(3)).record)
    assert report.verdict == "proved", report
    return detail(report, "outcomes")


def linked(record: Record) -> list[int]:
    return [number for number, commit in enumerate(commits_of(record)) if "link" in commit]


def test_every_drawing_of_a_player_has_a_link_and_the_report_counts_them() -> None:
    play = FreshPlay()
    text = proved(play)
    commits = commits_of(play.record)
    players = [commit for commit in commits if isinstance(commit["actor"], int)]
    assert {"link" in commit for commit in players if commit["draws"]} == {True}
    assert {"link" in commit for commit in players if not commit["draws"]} == {False}
    drawn, fresh = sum(each["draws"] for each in commits), sum(each["draws"] for each in players)
    assert f"{fresh} of {drawn} drawings had a fresh link. Without one drew: the referee {drawn - fresh}." in text


def test_bots_draw_without_links_and_the_report_counts_that() -> None:
    text = proved(FreshPlay(bots=(None, "random", None)))
    assert "seat 1 " in text and "seat 0 " not in text


def test_a_seat_that_did_not_reveal_goes_on_with_the_first_link_of_its_chain() -> None:
    play = FreshPlay(unrevealed=(1,))
    proved(play)
    used = [each["link"] for each in commits_of(play.record) if each["actor"] == 1 and "link" in each]
    assert used == CHAINS[1][: len(used)] and used


def test_other_links_lead_to_other_luck() -> None:
    one, other = FreshPlay().started(), FreshPlay().started()
    other.chains = [links_of("g_test", digest(b"x"))] * 3
    active = one.position.active
    one.move(active, Roll())
    other.move(active, Roll(), link=NEW_CHAIN[0])
    assert one.position != other.position


def test_a_move_that_draws_nothing_changes_no_later_luck() -> None:
    """Otherwise a player who knows the seed could make such moves until the next drawing suits them."""
    play = FreshPlay().started()
    active = play.position.active
    pool = play.table.luck
    play.move(active, PlayCard(card=play.position.seats[active].hand[0]))
    assert play.table.luck == pool


FORGERIES = {
    "missing": lambda commit, links: commit.pop("link"),
    "skipped": lambda commit, links: commit.update(link=links[links.index(commit["link"]) + 1]),
    "repeated": lambda commit, links: commit.update(link=links[links.index(commit["link"]) - 1]),
    "of another seat": lambda commit, links: commit.update(link=CHAINS[(commit["actor"] + 1) % 3][1]),
    "of nobody": lambda commit, links: commit.update(link=digest(b"nobody")),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_link_that_is_not_the_next_one_is_found(name: str) -> None:
    record = FreshPlay().to_the_end(random.Random(3)).record
    place = linked(record)[2]
    commits = commits_of(record)
    FORGERIES[name](commits[place], CHAINS[commits[place]["actor"]])
    report = audited(chained(record, commits))
    assert report.first_bad_version == place + 1
    assert failing(report) <= {"moves", "outcomes"} and failing(report)


def test_luck_drawn_without_the_link_of_a_player_is_found() -> None:
    play = FreshPlay().started()
    play.move(play.position.active, Roll(), link=None)
    report = audited(play.to_the_end(random.Random(3)).record)
    assert (failing(report), report.first_bad_version) == ({"moves"}, 2)
    assert "drew luck without the link of its seat" in detail(report, "moves")


@pytest.mark.parametrize("who", ["the referee", "a move that draws nothing", "a bot"])
def test_a_link_where_none_belongs_is_found(who: str) -> None:
    record = FreshPlay(bots=(None, "random", None)).to_the_end(random.Random(3)).record
    commits = commits_of(record)
    wanted = {
        "the referee": lambda each: each["actor"] == REFEREE,
        "a move that draws nothing": lambda each: each["actor"] in (0, 2) and not each["draws"],
        "a bot": lambda each: each["actor"] == 1,
    }[who]
    place = next(number for number, each in enumerate(commits) if wanted(each))
    seat = commits[place]["actor"]
    used = sum(each["actor"] == seat and "link" in each for each in commits[:place])
    commits[place]["link"] = CHAINS[seat if isinstance(seat, int) else 0][used + 1]
    report = audited(chained(record, commits))
    assert (failing(report), report.first_bad_version) == ({"moves"}, place + 1)


def test_a_new_chain_counts_when_every_other_player_has_added_a_link() -> None:
    play = FreshPlay().started()
    mover = play.position.active
    play.move(mover, Roll())
    play.reseal(mover, NEW_CHAIN)
    assert play.table.luck is not None and play.table.luck.chains[mover].waits_for
    for _ in range(2):
        assert play.next_link(mover, None) is None
        play.move(play.position.active, Roll())
    assert play.table.luck.chains[mover].counts
    text = proved(play)
    assert "Chains were sealed again 1 times." in text
    used = [each["link"] for each in commits_of(play.record) if each["actor"] == mover and "link" in each]
    assert used[0] == CHAINS[mover][1] and used[1:] == NEW_CHAIN[: len(used) - 1] and len(used) > 1


def test_a_new_chain_at_ones_own_turn_is_found() -> None:
    play = FreshPlay().started()
    play.reseal(play.position.active, NEW_CHAIN)
    report = audited(play.record)
    assert (failing(report) >= {"moves"}, report.first_bad_version) == (True, 2)
    assert "You may move now" in detail(report, "moves")


def test_fresh_luck_needs_a_seal_from_every_player() -> None:
    play = FreshPlay()
    play.header = replace(play.header, seals=(None, *play.header.seals[1:]))
    report = audited(play.record)
    assert "seat 0 has sealed no chain" in detail(report, "header")
