"""What a player makes of its view: the card to buy next, the corners worth sailing to, the fish worth keeping.

All values are in tenths of a euro.
"""

from functools import cache, cached_property
from typing import Final

from referee.kernel.changes import replace
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.advice.plans import PLANS, PlanName
from referee.rulesets.cat_and_fish.advice.worth import EURO, earned, hopes_of
from referee.rulesets.cat_and_fish.board import COLOUR_AT, DISTANCE, FISHING_DISTANCE, NEIGHBOURS, TOUCHES
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import COLOURS, CORNERS, FISH, SEASONS, WHALE, CardKind, Corner, Hex, Tile
from referee.rulesets.cat_and_fish.position import Card, SeatState, is_accessible, owns, reach, store_places
from referee.rulesets.cat_and_fish.view import View

ROUNDS_TO_PAY: Final = 6
"""A card that is bought with fewer rounds left does not pay off."""
FREE_PLACE: Final = 5
"""The worth of a free place in the store."""
CATCHES: Final = 3
"""The number of tiles in reach that count for the worth of a corner."""
FAR: Final = 4
"""The number of Sailings that the player looks ahead."""
LOOKED_AT: Final[dict[Corner, tuple[tuple[Corner, int], ...]]] = {
    corner: tuple((goal, edges) for goal, edges in others.items() if edges < FAR) for corner, others in DISTANCE.items()
}
"""The corners that the player looks at from a corner, each with the number of edges to it."""
LINES: Final[dict[str, tuple[Corner, ...]]] = {
    line: tuple(corner for corner in CORNERS if corner[0] == line)
    for line in dict.fromkeys(each[0] for each in CORNERS)
}
"""The corners of the coast and of each line: a ship that may sail to one of them may sail to all."""


@cache
def hexes_within(corner: Corner, distance: int) -> tuple[Hex, ...]:
    """The hexes within a fishing distance of a corner."""
    return tuple(hex for hex, far in FISHING_DISTANCE[corner].items() if far <= distance)


class Outlook:
    """A view as a player with a plan looks at it."""

    def __init__(self, plan: PlanName, edition: Edition, view: View, seat: Seat) -> None:
        own = view.seats[seat]
        self.edition, self.view, self.seat = edition, view, seat
        self.state = SeatState(own.pawn, own.money, own.cards, own.store, own.magic or (), own.placed, own.penalties)
        self.round = SEASONS.index(view.season)
        self.rounds_left = (edition.years - view.year) * len(SEASONS) + len(SEASONS) - 1 - self.round
        self.room = store_places(self.state, edition) - len(own.store)
        self.merchant, self.black_market = owns(self.state, "merchant"), owns(self.state, "black_market")
        self.hopes = hopes_of(COLOURS, edition)[self.merchant, self.black_market]
        self.plan = PLANS[plan]
        self.worths: dict[Corner, int] = {}

    @cached_property
    def wanted(self) -> CardKind | None:
        """The first card of the plan that the player lacks and may buy; None if no card pays off any more."""
        if self.rounds_left < ROUNDS_TO_PAY:
            return None
        for_sale = [kind for kind in self.plan if self.view.market[kind] and not owns(self.state, kind)]
        needs = {kind: self.edition.cards[kind].needs for kind in for_sale}
        return next((kind for kind, needed in needs.items() if needed is None or owns(self.state, needed)), None)

    def can_pay(self) -> bool:
        """Whether the player can pay the wanted card, if need be with a sale of this round."""
        sale = self.gain_of_sale() // EURO if "selling" in self.state.placed else 0
        return self.wanted is not None and self.view.market[self.wanted][0] <= self.state.money + sale

    @cached_property
    def equipped(self) -> SeatState:
        """The player with the card that it is about to buy, which works at once (CF-47)."""
        if self.wanted is None or "buying" not in self.state.placed or not self.can_pay():
            return self.state
        return replace(self.state, cards=(*self.state.cards, Card(self.wanted, 0)))

    @cached_property
    def open_corners(self) -> frozenset[Corner]:
        """The corners to which the player's ships may sail, and where no catastrophe is."""
        struck = {self.view.typhoon, self.view.oil, self.view.monster}
        reached = [line for line, corners in LINES.items() if is_accessible(self.equipped, corners[0])]
        return frozenset([corner for line in reached for corner in LINES[line] if struck.isdisjoint(TOUCHES[corner])])

    def corners_near(self) -> list[Corner]:
        """The corners that the player can sail to without magic."""
        return [corner for corner in NEIGHBOURS[self.state.pawn] if corner in self.open_corners]

    @cached_property
    def spot(self) -> Corner:
        """The corner from which the player fishes this round: that after a Sailing, if it has chosen one."""
        if "sailing" not in self.state.placed:
            return self.state.pawn
        gains = {corner: self.gain_of_voyage(corner) for corner in self.corners_near()}
        best = max(gains, key=gains.__getitem__, default=self.state.pawn)
        return best if gains.get(best, 0) > 0 else self.state.pawn

    def gain_of_voyage(self, corner: Corner) -> int:
        """The gain from sailing to a corner and on to the best one near it, divided by the number of Sailings."""
        here, open_corners = self.worth_of_corner(self.state.pawn), self.open_corners
        return max(
            [
                (self.worth_of_corner(goal) - here) // (1 + edges)
                for goal, edges in LOOKED_AT[corner]
                if goal in open_corners or goal == corner
            ]
        )

    def worth_of_corner(self, corner: Corner) -> int:
        """The worth of the best tiles in reach of a corner."""
        worth = self.worths.get(corner)
        if worth is None:
            worth = self.worths[corner] = sum(self.catches(corner)[:CATCHES])
        return worth

    def catches(self, corner: Corner) -> list[int]:
        """The expected values of the tiles in reach of a corner, the best first."""
        within = reach(self.equipped, self.edition)
        board, hopes = self.view.board, self.hopes
        refilled = TOUCHES[corner] if "good_haul" in self.state.magic else ()
        near = [hex for hex in hexes_within(corner, within) if board[hex] or hex in refilled]
        return sorted([hopes[COLOUR_AT[hex]] for hex in near], reverse=True)

    def earned(self, tile: Tile, season: int) -> int:
        """The earnings of a tile that is sold in a season."""
        return earned(tile, season, self.merchant, self.edition)

    def keeping(self, tile: Tile) -> int:
        """The worth of keeping a tile: a euro less than its next sale, or its worth at the end."""
        if tile not in FISH:
            return 0
        return self.next_worth(tile) if self.is_unsold(tile) else max(0, self.next_worth(tile) - EURO)

    def next_worth(self, tile: Tile) -> int:
        """The price of a tile in the next season, or its worth at the end."""
        in_the_end = self.edition.fish_score * EURO
        return in_the_end if self.is_unsold(tile) else self.earned(tile, (self.round + 1) % len(SEASONS))

    def is_unsold(self, tile: Tile) -> bool:
        """Whether the player can never sell a tile later."""
        return self.rounds_left == 0 or (tile == WHALE and not self.black_market)

    def selling(self, tile: Tile) -> int:
        """The gain from selling a tile now instead of keeping it."""
        return self.earned(tile, self.round) + FREE_PLACE - self.keeping(tile)

    def gain_of_sale(self) -> int:
        """The earnings of the best sale of this season."""
        sellable = [tile for tile in self.state.store if tile != WHALE or self.black_market]
        return sum(self.earned(tile, self.round) for tile in sellable if self.selling(tile) > 0)

    def strikes(self, hex: Hex) -> int:
        """The worth of striking a hex: more for each other seat there; far below 0 if the player is there."""
        struck = [other for other, state in enumerate(self.view.seats) if hex in TOUCHES[state.pawn]]
        return sum(-len(self.view.seats) * EURO if other == self.seat else EURO for other in struck)
