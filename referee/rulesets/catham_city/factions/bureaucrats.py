"""Bureaucrats (section 4.9): as many cards of the draw pile are turned up, each new faction counts."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.message import Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.rulesets.catham_city.cards import each, minus
from referee.rulesets.catham_city.conditions import require_in_play, require_number_held
from referee.rulesets.catham_city.ending import gain, is_over
from referee.rulesets.catham_city.piles import PileRevealed, from_pile
from referee.rulesets.catham_city.playing import plays
from referee.rulesets.catham_city.position import Case, Says
from referee.rulesets.catham_city.turns import complete_action

bureaucrats = Chapter()


class PlayBureaucrats(Move):
    """Play bureaucrats and turn up as many cards of the draw pile: influence for each different faction."""

    count: Annotated[int, Meta(description="How many bureaucrats.")]


@bureaucrats.decides(PlayBureaucrats)
def play_bureaucrats(case: Case, move: PlayBureaucrats) -> Says:
    """What is turned up counts, what was played does not (CC-37, CC-39)."""
    numbers = case.edition.bureaucrat
    require_in_play(case.position, "bureaucrat")
    require("CC-38", move.count >= numbers.min_cards, f"At least {numbers.min_cards} bureaucrats are played.")
    require_number_held(case.position, case.seat, "bureaucrat", move.count)
    played = plays(case.seat, "bureaucrat", move.count)
    position = yield played
    position = yield from from_pile(case, position, move.count, PileRevealed)
    revealed = minus(position.table, played.cards)
    different = sum(number > 0 for _, number in each(revealed))
    position = yield from gain(case, position, case.seat, different * numbers.gain_per_faction, "bureaucrat")
    if not is_over(position):
        yield from complete_action(case, position)
