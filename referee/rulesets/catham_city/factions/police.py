"""Police (section 4.13): a search of another hand for cards like the extra one."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.chapter import Chapter
from referee.kernel.message import Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import copies, in_order, in_words, listed
from referee.rulesets.catham_city.conditions import (
    require_held,
    require_in_play,
    require_number_held,
    require_other_seat,
)
from referee.rulesets.catham_city.names import Cards, Faction
from referee.rulesets.catham_city.piles import draw_cards
from referee.rulesets.catham_city.playing import HandRevealed, plays_with_extra
from referee.rulesets.catham_city.position import Case, Position, Says, hand_of
from referee.rulesets.catham_city.scoring import gain, is_over
from referee.rulesets.catham_city.turns import complete_action

police = Chapter()


class PlayPolice(Move):
    """Play police and an extra card to search the hand of another seat."""

    count: Annotated[int, Meta(description="The number of police cards that you play, and of cards revealed.")]
    extra: Annotated[Faction, Meta(description="The faction that you search for; not the police.")]
    target: Annotated[Seat, Meta(description="The seat whose hand you search.")]


@police.decides(PlayPolice)
def play_police(case: Case, move: PlayPolice) -> Says:
    """Reveal, gain, then the target draws if the game goes on (CC-50, CC-53 to CC-56)."""
    _require_search(case, move)
    numbers = case.edition.police
    cards = copies("police", move.count) + copies(move.extra, numbers.extra)
    position = yield plays_with_extra(case.seat, cards, "police", move.extra, move.target)
    shown = _search(case, position, move)
    position = yield HandRevealed(seat=move.target, cards=shown)
    amount = shown.count(move.extra) * numbers.gain_per_match  # CC-54
    position = yield from gain(case, position, case.seat, amount, "police")
    if is_over(position):
        return
    drawn = shown.count("police") * numbers.draw_per_police
    position = yield from draw_cards(case, position, move.target, drawn)  # CC-55
    yield from complete_action(case, position)


def _require_search(case: Case, move: PlayPolice) -> None:
    position = case.position
    numbers = case.edition.police
    require_in_play(position, "police", move.extra)
    if move.count < numbers.min_cards:
        raise Rejection("CC-51", f"Play at least {in_words(numbers.min_cards, 'police')}, not {move.count}.")
    require("CC-52", move.extra != "police", "The extra card must not be a police card: choose another faction.")
    require_other_seat(position, case.seat, move.target)
    require_number_held(case, move, "police", move.count)
    require_held(case, move, copies(move.extra, numbers.extra))


def _search(case: Case, position: Position, move: PlayPolice) -> Cards:
    """Cards of the target, chosen by chance; the whole hand if it is no larger (CC-53)."""
    hand = listed(hand_of(position, move.target))
    return in_order(case.chance.pick("police_reveal", hand, move.count)) if move.count < len(hand) else hand
