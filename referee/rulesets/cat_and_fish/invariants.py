"""The invariants of a position; the judge refuses a position that breaks one."""

from collections import Counter
from collections.abc import Iterable

from referee.kernel.rejection import Rejection, ensure
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import ZONE_OF
from referee.rulesets.cat_and_fish.dues import dues_answers
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.flight import flight_answers
from referee.rulesets.cat_and_fish.names import COLOURS, FOR_SALE, HEXES, TREASURES, CardKind
from referee.rulesets.cat_and_fish.placement import next_to_place
from referee.rulesets.cat_and_fish.position import (
    DuesAnswer,
    DuesCall,
    Flight,
    FlightAnswer,
    Position,
    is_accessible,
    is_safe,
    owns,
    store_places,
)
from referee.rulesets.cat_and_fish.setup import require_options
from referee.rulesets.cat_and_fish.turns import active_seat


def check(position: Position, edition: Edition) -> None:
    """Raise Malformed, naming the first invariant that is broken."""
    check_shape(position, edition)
    check_tiles(position, edition)
    check_decks(position, edition)
    check_market(position, edition)
    check_cards(position, edition)
    check_stores(position, edition)
    check_catastrophes(position)
    check_pawns(position)
    check_markers(position, edition)
    check_summoner(position, edition)
    check_pending(position, edition)


def check_shape(position: Position, edition: Edition) -> None:
    """The game has these options, seats and years, and the maps have the right keys."""
    try:
        require_options(position.options, len(position.seats))
    except Rejection as rejection:
        ensure(False, f"Options ({rejection.clause}): {rejection.message}")
    ensure(position.year <= edition.years, f"Years: there are {edition.years}.")
    ensure(is_seat(position, position.first_seat), "First seat: it is a seat of the game.")
    ensure(position.thief is None or is_seat(position, position.thief), "Thief: it is a seat of the game.")
    ensure(set(position.board) == set(HEXES), "Board: it has every sea hex and no other.")
    ensure(set(position.market) == set(FOR_SALE), "Market: it has every kind for sale and no other.")


def is_seat(position: Position, seat: Seat) -> bool:
    """Whether a seat is one of this game."""
    return 0 <= seat < len(position.seats)


def check_tiles(position: Position, edition: Edition) -> None:
    """No tile is lost or added."""
    heaps: list[Iterable[object]] = [position.board.values(), *(state.store for state in position.seats)]
    for colour in COLOURS:
        heaps += [position.piles.of(colour), position.discards.of(colour)]
    found = Counter(tile for heap in heaps for tile in heap)
    for kind, tile in edition.tiles.items():
        ensure(found[kind] == tile.count, f"Tiles: there are {tile.count} of {kind}, not {found[kind]}.")


def check_decks(position: Position, edition: Edition) -> None:
    """No magic or treasure card is lost or added; a blank never stays in a hand (CF-53)."""
    hands = [card for state in position.seats for card in state.magic]
    ensure("blank" not in hands, "Magic cards: no blank is in a hand.")
    ensure(
        Counter((*position.magic_deck, *position.magic_used, *hands)) == Counter(edition.magic_cards),
        "Magic cards: deck, used cards and hands are those of the box.",
    )
    ensure(
        Counter((*position.treasure_deck, *position.treasure_used)) == Counter(edition.decks.treasure),
        "Treasure cards: deck and used cards are those of the box.",
    )


def check_market(position: Position, edition: Edition) -> None:
    """Cards are sold from the top of each pile; the market holds the rest."""
    for kind, pile in edition.cards.items():
        sold = [card.price for state in position.seats for card in state.cards if card.kind == kind]
        ensure(
            Counter(sold) == Counter(pile.prices[: len(sold)]),
            f"Market: cards of {kind} are sold from the top of the pile.",
        )
        ensure(position.market[kind] == pile.prices[len(sold) :], f"Market: the unsold cards of {kind} are for sale.")


def check_cards(position: Position, edition: Edition) -> None:
    """Each seat owns a rod, at most one card of a kind, and the cards that its cards need."""
    for seat, state in enumerate(position.seats):
        kinds: list[CardKind] = [card.kind for card in state.cards]
        ensure("fishing_rod" in kinds, f"Cards: seat {seat} has a fishing rod.")
        ensure(len(set(kinds)) == len(kinds), f"Cards: seat {seat} has at most one card of each kind.")
        ensure(
            all(card.price == 0 for card in state.cards if card.kind not in FOR_SALE),
            f"Cards: rod and Summoner of seat {seat} cost nothing.",
        )
        for kind in kinds:
            needed = edition.cards[kind].needs if kind in FOR_SALE else None
            ensure(needed is None or needed in kinds, f"Cards: seat {seat} owns what its {kind} needs.")


def check_stores(position: Position, edition: Edition) -> None:
    """No store holds more than its places, or a treasure (CF-7)."""
    for seat, state in enumerate(position.seats):
        ensure(len(state.store) <= store_places(state, edition), f"Stores: seat {seat} has places for its tiles.")
        ensure(not TREASURES & set(state.store), f"Stores: seat {seat} stores no treasure tile.")


def check_catastrophes(position: Position) -> None:
    """Catastrophes are on different hexes without tiles; typhoon and oil are outside zone 1."""
    lying = [hex for hex in (position.typhoon, position.oil, position.monster) if hex is not None]
    ensure(len(set(lying)) == len(lying), "Catastrophes: they lie on different hexes.")
    ensure(min(ZONE_OF[position.typhoon], ZONE_OF[position.oil]) > 1, "Catastrophes: typhoon and oil avoid zone 1.")
    ensure(all(position.board[hex] is None for hex in lying), "Catastrophes: no tile lies under one.")


def check_pawns(position: Position) -> None:
    """Unless victims still flee, every pawn is on a safe corner that its seat can reach."""
    if position.phase == "flee":
        return
    for seat, state in enumerate(position.seats):
        ensure(is_safe(position, state.pawn), f"Pawns: the pawn of seat {seat} is on a safe corner.")
        ensure(
            is_accessible(state, state.pawn) or owns(state, "sorcerer") or position.options.magic_for_all,
            f"Pawns: the pawn of seat {seat} is on an accessible corner, or the seat could warp it.",
        )


def check_markers(position: Position, edition: Edition) -> None:
    """Markers are on spaces only while seats place and spend them; there is a thief in winter only."""
    if position.phase == "placement":
        ensure(next_to_place(position, edition) is not None, "Markers: in phase placement a seat has one to place.")
    if position.phase == "execution":
        ensure(active_seat(position) is not None, "Markers: in phase execution a seat has one to spend.")
    if position.phase not in ("placement", "execution", "flee"):
        ensure(not any(state.placed for state in position.seats), f"Markers: none is placed in phase {position.phase}.")
    ensure(position.phase == "placement" or not position.stopped, f"Stopped: no seat has in phase {position.phase}.")
    ensure(all(is_seat(position, seat) for seat in position.stopped), "Stopped: these are seats of the game.")
    ensure(len(set(position.stopped)) == len(position.stopped), "Stopped: no seat stops twice.")
    ensure(position.thief is None or position.season == "winter", "Thief: there is none outside winter.")
    ensure(position.thief is None or position.year < edition.years, "Thief: no spring follows the last winter.")


def check_summoner(position: Position, edition: Edition) -> None:
    """The Summoner has an owner from the first award on; the monster is on the board from its first placing on."""
    first_award = min(edition.award_years, default=edition.years)
    fleeing_from_placed = isinstance(position.pending, Flight) and position.pending.resume == "year_end"
    is_placed = position.year > first_award or (
        position.year == first_award and (position.phase == "year_end" or fleeing_from_placed)
    )
    owners = sum(owns(state, "summoner") for state in position.seats)
    ensure(owners <= 1, "Summoner: there is only one.")
    ensure(owners == 1 or not (is_placed or position.phase == "monster"), "Summoner: it has an owner.")
    ensure((position.monster is not None) == is_placed, "Monster: it is on the board from its first placing on.")


def check_pending(position: Position, edition: Edition) -> None:
    """Seats are asked in the phases `flee` and `dues` only, and every answer given is possible."""
    pending = position.pending
    asks = {"flee": Flight, "dues": DuesCall}.get(position.phase, type(None))
    ensure(isinstance(pending, asks), f"Pending: it fits the phase {position.phase}.")
    if pending is None:
        return
    asked = pending.seats
    ensure(all(is_seat(position, seat) for seat in asked), "Pending: the seats asked are seats of the game.")
    ensure(len(set(asked)) == len(asked), "Pending: no seat is asked twice.")
    ensure(set(pending.answers) < set(map(str, asked)), "Pending: some of the seats asked have answered, never all.")
    for seat in asked:
        possible: tuple[DuesAnswer | FlightAnswer, ...] = (
            flight_answers(position, pending.kind, seat)
            if isinstance(pending, Flight)
            else dues_answers(position.seats[seat], edition)
        )
        ensure(bool(possible), f"Pending: seat {seat}, which is asked, has an answer.")
        answer = pending.answers.get(str(seat))
        ensure(answer is None or answer in possible, f"Pending: the answer of seat {seat} is possible.")
