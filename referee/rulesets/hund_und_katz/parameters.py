"""The types of the parameters of moves."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import EDITION
from referee.rulesets.hund_und_katz.names import ANIMAL_ID, AnimalId, FoodId

AnimalNamed = Annotated[
    AnimalId,
    Meta(
        description="The id of an animal laid out.",
        pattern=ANIMAL_ID,
        examples=[animal.id for animal in EDITION.animals],
    ),
]
FoodNamed = Annotated[FoodId, Meta(description="A food card that lies at the animal named with it.")]
OwnerNamed = Annotated[Seat, Meta(ge=0, description="The owner of a pawn that stands on the animal named with it.")]
