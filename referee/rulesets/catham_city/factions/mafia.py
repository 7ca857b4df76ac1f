"""Mafia (section 4.12): influence, and a loss for everybody else."""

from typing import Annotated, ClassVar

from msgspec import Meta

from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import in_order, listed
from referee.rulesets.catham_city.conditions import require_held, require_in_play, require_number_held
from referee.rulesets.catham_city.edition import MafiaNumbers
from referee.rulesets.catham_city.names import Cards
from referee.rulesets.catham_city.piles import CardsDiscarded
from referee.rulesets.catham_city.playing import plays
from referee.rulesets.catham_city.position import Answer, Case, Position, Says, hand_of, hand_size
from referee.rulesets.catham_city.questions import QuestionAsked, answers_clockwise, locked
from referee.rulesets.catham_city.scoring import InfluenceLost, gain, is_over
from referee.rulesets.catham_city.turns import complete_action

mafia = Chapter()


class PlayMafia(Move):
    """Play mafia for influence; every other seat loses cards or influence."""


class SurrenderCards(Move):
    """Lose cards of your choice to the mafia."""

    secret: ClassVar[bool] = True
    cards: Annotated[Cards, Meta(description="Cards of your hand, exactly as many as the mafia asks for.")]


class SurrenderInfluence(Move):
    """Lose influence to the mafia."""

    secret: ClassVar[bool] = True


@mafia.decides(PlayMafia)
def play_mafia(case: Case, move: PlayMafia) -> Says:
    """Four mafia, influence, then the question (CC-44, CC-45)."""
    numbers = case.edition.mafia
    require_in_play(case.position, "mafia")
    require_number_held(case, move, "mafia", numbers.cards)
    position = yield plays(case.seat, "mafia", numbers.cards)
    position = yield from gain(case, position, case.seat, numbers.gain, "mafia")
    if not is_over(position):
        yield QuestionAsked(question="mafia", seat=case.seat, faction=None)


@mafia.decides(SurrenderCards)
def surrender_cards(case: Case, move: SurrenderCards) -> Says:
    """The seat chooses exactly as many cards as the mafia asks for."""
    asked = case.edition.mafia.lose_cards
    require_in_play(case.position, *move.cards)
    if len(move.cards) != asked:
        raise Rejection("CC-46", f"The mafia takes exactly {asked} cards from you, not {len(move.cards)}.")
    require_held(case, move, move.cards)
    yield locked(case.seat, "surrender_cards", cards=in_order(move.cards))


@mafia.decides(SurrenderInfluence)
def surrender_influence(case: Case, move: SurrenderInfluence) -> Says:
    """Only a seat that has the influence can lose it."""
    asked = case.edition.mafia.lose_influence
    held = case.position.seats[case.seat].influence
    if held < asked:
        raise Rejection("CC-47", f"The mafia takes {asked} influence from you, but you have {held}.")
    yield locked(case.seat, "surrender_influence")


def carry_out_losses(case: Case) -> Says:
    """All losses, chosen and fixed, clockwise; nobody gains (CC-49)."""
    position = case.position
    for seat, answer in answers_clockwise(position):
        loss = _loss(position, seat, answer, case.edition.mafia)
        if loss is not None:
            position = yield loss
    yield from complete_action(case, position)


def _loss(position: Position, seat: Seat, answer: Answer | None, numbers: MafiaNumbers) -> Event | None:
    """What a seat loses: what it chose, or what is fixed for a seat without a choice (CC-48)."""
    influence = position.seats[seat].influence
    if answer is None:
        cards = listed(hand_of(position, seat))
        pays_influence = hand_size(position, seat) < numbers.lose_cards and influence >= numbers.lose_influence
    else:
        cards = in_order(answer.cards or ())
        pays_influence = answer.answer == "surrender_influence"
    if pays_influence:
        left = influence - numbers.lose_influence
        return InfluenceLost(seat=seat, amount=numbers.lose_influence, total=left, source="mafia")
    return CardsDiscarded(seat=seat, cards=cards, reason="mafia") if cards else None
