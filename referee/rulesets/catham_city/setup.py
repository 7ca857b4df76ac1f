"""Setup (section 3): the options, the blank table, the deal."""

from typing import Annotated, Literal, cast

from msgspec import UNSET, UnsetType

from referee.kernel.audience import NOBODY, OWN_ENTRY, whole
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import copies, counted, in_order, no_cards
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.names import FACTIONS, Cards, Faction
from referee.rulesets.catham_city.position import SLUG, Case, Options, Position, Says, SeatState

setup = Chapter()


class SetUp(Trigger):
    """Draw the first player, shuffle, deal, lay out the market."""


class GameSetUp(Event, kw_only=True):
    """The cards are dealt and the first player begins."""

    factions: tuple[Faction, ...]
    expert: bool
    journalists_bonus: Literal["giver", "active"]
    first_seat: Seat
    hands: Annotated[tuple[Cards | None, ...], OWN_ENTRY]
    hand_counts: tuple[int, ...]
    market: Cards
    draw_pile: Annotated[Cards | UnsetType, NOBODY] = UNSET
    draw_pile_count: int


def blank(options: Options, seats: int, edition: Edition) -> Position:
    """The table before the set-up; refuses invalid options."""
    require_options(options, seats, edition)
    factions = in_order(cast(Cards, options.factions))
    nothing = no_cards(factions)
    return Position(
        ruleset=SLUG,
        options=replace(options, factions=factions),
        phase="setup",
        seats=(SeatState(hand=nothing, influence=0),) * seats,
        active_seat=None,
        actions_left=0,
        market=nothing,
        draw_pile=(),
        discard_pile=nothing,
        table=nothing,
        pending=None,
    )


def require_options(options: Options, seats: int, edition: Edition) -> None:
    """Refuse factions, a number of seats or a first seat that the rules do not allow."""
    chosen, first = options.factions, options.first_seat
    in_play = edition.factions_in_play
    if strange := [word for word in chosen if word not in FACTIONS]:
        raise Rejection("CC-S1", f"`{strange[0][:40]}` is no faction; the factions are {', '.join(FACTIONS)}.")
    require("CC-S1", len(chosen) == in_play, f"Choose exactly {in_play} factions, not {len(chosen)}.")
    twice = [faction for faction in FACTIONS if chosen.count(faction) > 1]
    require("CC-S1", not twice, f"Choose {in_play} different factions: {', '.join(twice)} is named more than once.")
    fewest, most = min(edition.seats), max(edition.seats)
    require("CC-S2", seats in edition.seats, f"The game takes {fewest} to {most} seats, not {seats}.")
    in_game = first is None or 0 <= first < seats
    require("CC-S3", in_game, f"`first_seat` is null or a seat from 0 to {seats - 1}, not {first}.")


@setup.decides(SetUp)
def set_up(case: Case, move: SetUp) -> Says:
    """Deal whole hands in turn order, then the market; the rest is the draw pile."""
    options = case.position.options
    number = len(case.position.seats)
    first = options.first_seat
    if first is None:
        first = Seat(case.chance.number("draw_first_seat", 0, number - 1))  # CC-S3
    factions = cast(Cards, options.factions)
    cards = [card for faction in factions for card in copies(faction, case.edition.copies_per_faction)]
    deck = case.chance.shuffle("shuffle_deck", cards)  # CC-S4
    hands: dict[int, Cards] = {}
    for turn, size in enumerate(case.edition.deal[:number]):  # CC-S5
        hands[(first + turn) % number], deck = in_order(deck[:size]), deck[size:]
    market, draw_pile = deck[: case.edition.market_size], deck[case.edition.market_size :]  # CC-S6, CC-S7
    yield GameSetUp(
        factions=factions,
        expert=options.expert,
        journalists_bonus=options.journalists_bonus,
        first_seat=first,
        hands=tuple([hands[seat] for seat in range(number)]),
        hand_counts=tuple([len(hands[seat]) for seat in range(number)]),
        market=in_order(market),
        draw_pile=draw_pile,
        draw_pile_count=len(draw_pile),
    )


@setup.applies(GameSetUp)
def game_set_up(position: Position, event: GameSetUp) -> Position:
    """Build the first position."""
    hands = [counted(event.factions, hand or ()) for hand in event.hands]
    nothing = no_cards(event.factions)
    return replace(
        position,
        phase="turn",
        seats=tuple([SeatState(hand=hand, influence=0) for hand in hands]),
        active_seat=event.first_seat,
        actions_left=2 if event.expert else 1,  # CC-S8
        market=counted(event.factions, event.market),
        draw_pile=whole(event.draw_pile),
        discard_pile=nothing,
        table=nothing,
        pending=None,
    )
