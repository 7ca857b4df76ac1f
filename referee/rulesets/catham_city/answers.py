"""The answers that the rules allow a seat to give to the open question."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from referee.kernel.audience import whole
from referee.kernel.candidates import one_by_one
from referee.kernel.chance import Probe
from referee.kernel.message import Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.candidates import candidates
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.factions.detectives import MatchCard, match_card
from referee.rulesets.catham_city.factions.journalists import GiveCard, give_card
from referee.rulesets.catham_city.factions.mafia import (
    SurrenderCards,
    SurrenderInfluence,
    surrender_cards,
    surrender_influence,
)
from referee.rulesets.catham_city.position import Answer, Case, Position, Says
from referee.rulesets.catham_city.questions import AnswerLocked, Decline, decline

ANSWER_RULES: Final[dict[type[Move], Callable[[Case, Any], Says]]] = {
    GiveCard: give_card,
    MatchCard: match_card,
    Decline: decline,
    SurrenderCards: surrender_cards,
    SurrenderInfluence: surrender_influence,
}


def legal_answers(position: Position, seat: Seat, edition: Edition) -> Iterator[Answer]:
    """Every answer that this seat may give, whether it has answered or not."""
    case = Case(position, seat, Probe(), edition)
    for move in one_by_one(candidates(position, seat, edition)):
        try:
            locked = next(ANSWER_RULES[type(move)](case, move))
        except Rejection:
            continue
        assert isinstance(locked, AnswerLocked)
        yield Answer(answer=whole(locked.answer), faction=whole(locked.faction), cards=whole(locked.cards))
