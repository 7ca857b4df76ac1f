"""Robocats (section 4.11): cards or influence."""

from typing import Annotated, Literal

from msgspec import Meta

from referee.kernel.chapter import Chapter
from referee.kernel.message import Move
from referee.rulesets.catham_city.conditions import require_in_play, require_number_held
from referee.rulesets.catham_city.piles import draw_cards
from referee.rulesets.catham_city.playing import plays
from referee.rulesets.catham_city.position import Case, Says
from referee.rulesets.catham_city.scoring import gain, is_over
from referee.rulesets.catham_city.turns import complete_action

robocats = Chapter()


class PlayRobocats(Move):
    """Play robocats to draw cards, or more of them for influence."""

    mode: Annotated[Literal["draw", "influence"], Meta(description="`draw`: draw cards; `influence`: gain influence.")]


@robocats.decides(PlayRobocats)
def play_robocats(case: Case, move: PlayRobocats) -> Says:
    """Play two for five cards (CC-42), or four for influence (CC-43); refuse any other number (CC-23)."""
    modes = case.edition.robocat
    count = modes.draw.cards if move.mode == "draw" else modes.influence.cards
    require_in_play(case.position, "robocat")
    require_number_held(case, move, "robocat", count)
    position = yield plays(case.seat, "robocat", count)
    if move.mode == "draw":
        position = yield from draw_cards(case, position, case.seat, modes.draw.draw)
    else:
        position = yield from gain(case, position, case.seat, modes.influence.gain, "robocat")
    if not is_over(position):
        yield from complete_action(case, position)
