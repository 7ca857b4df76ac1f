"""The parameters of moves: what a move may name."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import ANIMAL_ID, EDITION, AnimalId, FoodId

AnimalNamed = Annotated[
    AnimalId,
    Meta(
        description="The id of an animal laid out.",
        pattern=ANIMAL_ID,
        examples=[animal.id for animal in EDITION.animals],
    ),
]
FoodNamed = Annotated[FoodId, Meta(description="A food card that lies at the animal named with it.")]
OwnerNamed = Annotated[Seat, Meta(ge=0, description="The seat whose pawn on the animal named with it is meant.")]
