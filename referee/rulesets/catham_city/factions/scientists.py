"""Scientists (section 4.10): influence and new cards."""

from referee.kernel.chapter import Chapter
from referee.kernel.message import Move
from referee.rulesets.catham_city.conditions import require_in_play, require_number_held
from referee.rulesets.catham_city.piles import draw_cards
from referee.rulesets.catham_city.playing import plays
from referee.rulesets.catham_city.position import Case, Says
from referee.rulesets.catham_city.scoring import gain, is_over
from referee.rulesets.catham_city.turns import complete_action

scientists = Chapter()


class PlayScientists(Move):
    """Play scientists for influence, then draw cards."""


@scientists.decides(PlayScientists)
def play_scientists(case: Case, move: PlayScientists) -> Says:
    """Three scientists, influence, then the draw if the game goes on (CC-40, CC-41)."""
    numbers = case.edition.scientist
    require_in_play(case.position, "scientist")
    require_number_held(case, move, "scientist", numbers.cards)
    position = yield plays(case.seat, "scientist", numbers.cards)
    position = yield from gain(case, position, case.seat, numbers.gain, "scientist")
    if is_over(position):
        return
    position = yield from draw_cards(case, position, case.seat, numbers.draw)
    yield from complete_action(case, position)
