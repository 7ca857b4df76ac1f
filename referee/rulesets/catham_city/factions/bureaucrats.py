"""Bureaucrats (section 4.9): each reveals a card of the draw pile, and each different faction counts."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.chapter import Chapter
from referee.kernel.message import Move
from referee.kernel.rejection import Rejection
from referee.rulesets.catham_city.cards import each, in_words, minus
from referee.rulesets.catham_city.conditions import require_in_play, require_number_held
from referee.rulesets.catham_city.piles import PileRevealed, from_pile
from referee.rulesets.catham_city.playing import plays
from referee.rulesets.catham_city.position import Case, Says
from referee.rulesets.catham_city.scoring import gain, is_over
from referee.rulesets.catham_city.turns import complete_action

bureaucrats = Chapter()


class PlayBureaucrats(Move):
    """Play bureaucrats, reveal a card of the draw pile for each, and gain influence for each different faction."""

    count: Annotated[int, Meta(description="The number of bureaucrats that you play.")]


@bureaucrats.decides(PlayBureaucrats)
def play_bureaucrats(case: Case, move: PlayBureaucrats) -> Says:
    """The revealed cards count, the played ones do not (CC-37, CC-39)."""
    numbers = case.edition.bureaucrat
    require_in_play(case.position, "bureaucrat")
    if move.count < numbers.min_cards:
        least = in_words(numbers.min_cards, "bureaucrat")
        raise Rejection("CC-38", f"Play at least {least}, not {move.count}.")
    require_number_held(case, move, "bureaucrat", move.count)
    played = plays(case.seat, "bureaucrat", move.count)
    position = yield played
    position = yield from from_pile(case, position, move.count, PileRevealed)
    revealed = minus(position.table, played.cards)
    different = sum(number > 0 for _, number in each(revealed))
    position = yield from gain(case, position, case.seat, different * numbers.gain_per_faction, "bureaucrat")
    if not is_over(position):
        yield from complete_action(case, position)
