"""The trigger that carries out the answers to a question."""

from collections.abc import Callable
from typing import Final

from referee.kernel.chapter import Chapter
from referee.kernel.message import Trigger
from referee.kernel.rejection import Rejection
from referee.rulesets.catham_city.factions.detectives import carry_out_matches
from referee.rulesets.catham_city.factions.journalists import carry_out_deals
from referee.rulesets.catham_city.factions.mafia import carry_out_losses
from referee.rulesets.catham_city.names import Phase
from referee.rulesets.catham_city.position import Case, Says
from referee.rulesets.catham_city.questions import seats_in_words, unanswered

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
    """The referee waits until every seat that is asked has answered."""
    if missing := unanswered(case.position, case.edition):
        raise Rejection("CC-5", f"{seats_in_words(missing)} must answer first.")
    yield from CARRIED_OUT[case.position.phase](case)
