"""The names of the box: what moves, events and positions call its things."""

from typing import Final, Literal, get_args

Faction = Literal["journalist", "detective", "bureaucrat", "scientist", "robocat", "mafia", "police", "hacker"]
"""One of the eight factions; a card has no other feature."""

FACTIONS: Final[tuple[Faction, ...]] = get_args(Faction)
"""All factions, in the canonical order."""

RANK: Final[dict[str, int]] = {faction: rank for rank, faction in enumerate(FACTIONS)}

Cards = tuple[Faction, ...]
"""Cards one by one: in pile order where a pile is meant, else in the canonical order."""

Phase = Literal[
    "setup",
    "turn",
    "journalists_answers",
    "journalists_cash_in",
    "detectives_answers",
    "mafia_answers",
    "discard_excess",
    "finished",
]

Question = Literal["journalists", "detectives", "mafia"]

AnswerType = Literal["give_card", "match_card", "decline", "surrender_cards", "surrender_influence"]
