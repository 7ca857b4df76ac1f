"""Detectives (section 4.8): influence, and a cheap gain for every seat with a card like the extra one."""

from typing import Annotated, ClassVar

from msgspec import Meta

from referee.kernel.chapter import Chapter
from referee.kernel.message import Move
from referee.kernel.rejection import Rejection
from referee.rulesets.catham_city.cards import copies, number_of
from referee.rulesets.catham_city.conditions import require_held, require_in_play
from referee.rulesets.catham_city.names import Faction
from referee.rulesets.catham_city.piles import CardsDiscarded
from referee.rulesets.catham_city.playing import plays_with_extra
from referee.rulesets.catham_city.position import Case, Says, asked_faction, hand_of
from referee.rulesets.catham_city.questions import QuestionAsked, answers_clockwise, locked
from referee.rulesets.catham_city.scoring import gain, is_over
from referee.rulesets.catham_city.turns import complete_action

detectives = Chapter()


class PlayDetectives(Move):
    """Play detectives and an extra card for influence; the others may match the extra card."""

    extra: Annotated[Faction, Meta(description="The faction of the extra card; it may be a detective, too.")]


class MatchCard(Move):
    """Discard a card like the detectives' extra card, for influence."""

    secret: ClassVar[bool] = True


@detectives.decides(PlayDetectives)
def play_detectives(case: Case, move: PlayDetectives) -> Says:
    """Three detectives and an extra card, influence, then the question (CC-34, CC-35)."""
    numbers = case.edition.detective
    require_in_play(case.position, "detective", move.extra)
    cards = copies("detective", numbers.cards) + copies(move.extra, numbers.extra)
    require_held(case, move, cards)
    position = yield plays_with_extra(case.seat, cards, "detective", move.extra)
    position = yield from gain(case, position, case.seat, numbers.gain, "detective")
    if not is_over(position):
        yield QuestionAsked(question="detectives", seat=case.seat, faction=move.extra)


@detectives.decides(MatchCard)
def match_card(case: Case, move: MatchCard) -> Says:
    """The seat needs one card of the extra card's faction."""
    faction = asked_faction(case.position)
    if not number_of(hand_of(case.position, case.seat), faction):
        raise Rejection("CC-24", f"A match takes 1 {faction} card, like the detectives' extra card; you hold 0.")
    yield locked(case.seat, "match_card")


def carry_out_matches(case: Case) -> Says:
    """Clockwise: discard, gain, end check, then the next seat (CC-36)."""
    position = case.position
    faction = asked_faction(position)
    for seat, answer in answers_clockwise(position):
        if answer and answer.answer == "match_card":
            position = yield CardsDiscarded(seat=seat, cards=(faction,), reason="detective")
            position = yield from gain(case, position, seat, case.edition.detective.match_gain, "detective")
            if is_over(position):
                return
    yield from complete_action(case, position)
