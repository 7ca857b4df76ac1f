"""The trigger that carries out the answers to a question."""

from collections.abc import Callable
from typing import Final

from referee.kernel.message import Trigger
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.rulesets.catham_city.factions.detectives import carry_out_matches
from referee.rulesets.catham_city.factions.journalists import carry_out_deals
from referee.rulesets.catham_city.factions.mafia import carry_out_losses
from referee.rulesets.catham_city.position import Case, Phase, Says
from referee.rulesets.catham_city.questions import unanswered

resolving = Chapter()


class ResolveAnswers(Trigger):
    """Carry out all answers, clockwise."""


CARRIED_OUT: Final[dict[Phase, Callable[[Case], Says]]] = {
    "journalists_answers": carry_out_deals,
    "detectives_answers": carry_out_matches,
    "mafia_answers": carry_out_losses,
}


@resolving.decides(ResolveAnswers)
def resolve_answers(case: Case, move: ResolveAnswers) -> Says:
    """Only when every seat that is asked has answered."""
    require("CC-5", not unanswered(case.position, case.edition), "Not every seat that is asked has answered.")
    yield from CARRIED_OUT[case.position.phase](case)
