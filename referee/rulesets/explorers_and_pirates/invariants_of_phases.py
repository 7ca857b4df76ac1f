"""The invariants of each phase (section 12): a part that belongs to one phase is given in that phase only."""

from collections import Counter

from referee.kernel.rejection import ensure
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.candidates_at_sea import way_out
from referee.rulesets.explorers_and_pirates.discards import discards_needed
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.founding import Step, founding_steps
from referee.rulesets.explorers_and_pirates.pieces import passing_ship
from referee.rulesets.explorers_and_pirates.position import Position, key
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.turns import lairs_due
from referee.rulesets.explorers_and_pirates.wealth import holds


def check_phase(position: Position, edition: Edition) -> None:
    """A part that belongs to one phase is given in that phase only."""
    phase = position.phase
    only_in = {
        "founding_step": (position.founding_step, "founding"),
        "discards": (position.discards, "discard"),
        "pirate_by": (position.pirate_by, "pirate"),
        "hero": (position.hero, "hero"),
        "result": (position.result, "finished"),
    }
    for name, (value, home) in only_in.items():
        ensure((value is not None) == (phase == home), f"Phase: `{name}` is given exactly in phase {home}.")
    ensure((position.turn is None) == (phase == "founding"), "Phase: there is a turn exactly after the founding.")
    ensure(position.offer is None or phase == "trade_build", "Phase: an offer is open only in trade_build.")
    if phase == "founding":
        _check_founding(position)
    else:
        _check_turn(position, edition)
    _check_discards(position, edition)
    _check_offer(position)
    _check_pirate(position)
    _check_captures(position, edition)
    _check_result(position)


def _check_founding(position: Position) -> None:
    """Exactly the pieces of the steps so far are on the board (EP-10, EP-16)."""
    ensure(scenario_of(position).is_founded_freely, "Founding: this scenario has fixed starts.")
    ensure(position.active_seat == position.first_seat, "Founding: the active seat stays the first seat.")
    steps = founding_steps(position.first_seat, len(position.seats))
    now = position.founding_step
    ensure(now is not None and 0 <= now < len(steps), f"Founding: the steps are 0 to {len(steps) - 1}.")
    done = Counter(steps[:now])
    for number, state in enumerate(position.seats):
        seat = Seat(number)
        found = (len(state.harbors), len(state.settlements), len(state.roads), len(state.ships))
        expected = tuple(
            done[Step(placement, seat)]
            for placement in ("place_harbor", "place_settlement", "place_road", "place_settler_ship")
        )
        ensure(found == expected, f"Founding: seat {seat} has exactly the pieces of its steps so far.")
    neutral = Counter(step.placement for step in steps[:now] if step.neutral)
    found = (len(position.neutral.harbors), len(position.neutral.settlements), len(position.neutral.roads), 0)
    placed = (neutral["place_harbor"], neutral["place_settlement"], 0, 0)
    ensure(found == placed, "Founding: the neutral pieces are those of the steps so far.")


def _check_turn(position: Position, edition: Edition) -> None:
    """The counters of the turn are about ships of the active seat."""
    turn, ships = position.this_turn, position.seats[position.active_seat].ships
    for ship in turn.ships:
        ensure(ship in ships, f"Turn: {ship} is a ship of the active seat on the board.")
    current = turn.current_ship
    if current is not None:
        sails = current in turn.ships and not turn.ships[current].finished
        ensure(sails, "Turn: the current ship has moved in this turn and is not finished (EP-73).")
    if passing_ship(position, edition) is not None and position.phase != "finished":
        sailing = position.phase == "movement" or position.pirate_by == "chase"
        ensure(
            sailing and way_out(position, edition) is not None,
            "Ships: a current ship on a full route is in its movement phase, and can sail on (EP-75).",
        )


def _check_discards(position: Position, edition: Edition) -> None:
    """A seat over the hand limit owes half of its cards, and chooses them from its hand (EP-39, EP-40)."""
    discards = position.discards
    if discards is None:
        return
    ensure(discards.need == discards_needed(position, edition), "Discards: half of every hand over the limit is due.")
    ensure(discards.given.keys() < discards.need.keys(), "Discards: a seat that owes cards has not chosen yet.")
    for number, state in enumerate(position.seats):
        mark = key(Seat(number))
        if mark in discards.given:
            bag = discards.given[mark]
            fitting = sum(bag.values()) == discards.need[mark] and holds(state, bag)
            ensure(fitting, f"Discards: seat {mark} has chosen the number of cards that it owes, from its hand.")


def _check_offer(position: Position) -> None:
    """An offer is legal, and every seat that has accepted can still make the trade (EP-51, EP-52)."""
    offer = position.offer
    if offer is None:
        return
    ensure(bool(offer.give) and bool(offer.want), "Offer: both sides name something.")
    ensure(not offer.give.keys() & offer.want.keys(), "Offer: no kind is on both sides.")
    others = [seat for seat in range(len(position.seats)) if seat != position.active_seat]
    asked = len(set(offer.to)) == len(offer.to) > 0 and set(offer.to) <= set(others)
    ensure(asked, "Offer: opponents are asked, none of them twice.")
    answers = (*offer.accepted, *offer.declined)
    ensure(len(set(answers)) == len(answers) and set(answers) <= set(offer.to), "Offer: asked seats answer once.")
    ensure(len(offer.declined) < len(offer.to), "Offer: it is closed when all have declined.")
    ensure(holds(position.seats[position.active_seat], offer.give), "Offer: the active seat holds what it offers.")
    for seat in offer.accepted:
        ensure(holds(position.seats[seat], offer.want), f"Offer: seat {seat} holds what it accepted to give.")


def _check_pirate(position: Position) -> None:
    """A pirate ship is placed where there are pirates; after a chase none is on the board (EP-83)."""
    if position.phase == "pirate":
        ensure(scenario_of(position).has_pirates, "Pirate: there are no pirate ships in this scenario.")
        ensure(position.pirate_by != "chase" or position.pirate is None, "Pirate: after a chase none is on the board.")


def _check_captures(position: Position, edition: Edition) -> None:
    """A lair with enough units is due when captures are resolved, and the hero has a unit there (EP-90, EP-94)."""
    if position.phase == "captures":
        ensure(bool(lairs_due(position, edition)), "Captures: a lair that is not captured holds three units.")
    hero = position.hero
    if hero is None:
        return
    lair = position.lairs.get(hero.hex)
    ensure(lair is not None and not lair.captured, "Hero: the lair is not captured yet.")
    assert lair is not None
    ensure(sum(lair.units.values()) == edition.lair_units, "Hero: three units are on the lair.")
    ensure(
        lair.units.get(key(hero.seat), 0) > 0 and len(lair.units) > 1, "Hero: one of several seats with units there."
    )


def _check_result(position: Position) -> None:
    """The result is about the seats of the game."""
    result = position.result
    if result is not None:
        count = len(position.seats)
        ensure(result.winner < count, "Result: the winner is a seat.")
        ensure(len(result.scores) == len(result.ranks) == count, "Result: every seat has a score and a rank.")
