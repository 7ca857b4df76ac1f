"""A plain but sensible player: it buys what its plan wants, fishes where the valuable fish are, and sells in time.

All values are in tenths of a euro. The player prefers a sure treasure to a poor tile, and fishes in zone 3 in spite of
whales: the opposite was no better in play.
"""

from collections import Counter
from typing import Final

from msgspec import UNSET, UnsetType

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.advice.outlook import FREE_PLACE, Outlook
from referee.rulesets.cat_and_fish.advice.plans import PlanName, plan_of
from referee.rulesets.cat_and_fish.advice.worth import EURO
from referee.rulesets.cat_and_fish.board import ADJACENT, COLOUR_AT
from referee.rulesets.cat_and_fish.catastrophes import MoveMonster, MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic, OpenTreasure
from referee.rulesets.cat_and_fish.dues import PayDues
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.flight import Flee
from referee.rulesets.cat_and_fish.names import FISH, Magic, Space
from referee.rulesets.cat_and_fish.placement import PlaceMarker, StopPlacing
from referee.rulesets.cat_and_fish.position import markers, owns
from referee.rulesets.cat_and_fish.sailing import Sail, warp_fee
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from referee.rulesets.cat_and_fish.turns import EndTurn
from referee.rulesets.cat_and_fish.view import View
from referee.rulesets.cat_and_fish.wizard import Change, change_fee

WANTED_CARD: Final = 60
"""The worth of the next card of the plan: more than that of any other marker."""
MAGIC_CARD: Final = 8
"""The worth of a magic card that the player can use."""
DISASTER: Final = 2
"""The worth of moving a catastrophe that strikes nobody."""

Prospects = tuple[int, int]


def choose(view: View, seat: Seat, moves: tuple[Move, ...], edition: Edition) -> Move:
    """The best move by the plan that the seat seems to follow."""
    return choose_by(plan_of(view, seat, edition), view, seat, moves, edition)


def choose_by(plan: PlanName, view: View, seat: Seat, moves: tuple[Move, ...], edition: Edition) -> Move:
    """The move with the best prospects by a plan; of equals the first."""
    player = Player(plan, edition, view, seat)
    return max(moves, key=player.prospects)


class Player(Outlook):
    """A player who counts what a season can earn."""

    def prospects(self, move: Move) -> Prospects:
        """How urgent a move is, then how good. A move that does harm comes after the end of the turn."""
        match move:
            case PlaceMarker():
                return 0, self.worth_of_space(move.space)
            case EndTurn() | StopPlacing():
                return 0, 0
            case Flee():
                return 0, self.worth_of_corner(move.to) - (0 if move.tile is UNSET else 2 * self.keeping(move.tile))
            case PayDues():
                return 0, -self.edition.dues * EURO - 1 if move.tile is UNSET else -self.next_worth(move.tile)
            case PlaceMonster():
                return 0, self.strikes(move.hex)
            case _:
                worth = self.worth_of_action(move)
                return (self.urgency(move) if worth > 0 else -1), worth

    def urgency(self, move: Move) -> int:
        """The order of actions: treasures, a sale from a full store, cards; with room in the store, fish first.

        A marker is changed only when no other marker is left for the action.
        """
        if isinstance(move, (Sail, Fish, Sell, Buy)) and isinstance(move.change, Change):
            return 0
        match move:
            case OpenTreasure():
                return 8
            case Buy():
                return 6
            case Sell() if self.room <= 0:
                return 7
            case Sell():
                return 5 if self.room < self.state.placed.count("fishing") or "buying" in self.state.placed else 1
            case DrawMagic():
                return 4
            case Sail():
                return 3
            case _:
                return 2

    def worth_of_action(self, move: Move) -> int:
        """The worth of an action of the player's own turn."""
        match move:
            case OpenTreasure() | DrawMagic():
                return MAGIC_CARD
            case Buy():
                return WANTED_CARD - self.toll(move) if move.card == self.wanted else 0
            case Sell():
                return sum(map(self.selling, move.tiles)) - self.toll(move)
            case Sail():
                return self.gain_of_voyage(move.to) - self.effort(move) - self.toll(move)
            case Fish():
                return self.hopes[COLOUR_AT[move.hex]] - (MAGIC_CARD if move.good_haul else 0) - self.toll(move)
            case Steal():
                return self.keeping(move.tile)
            case MoveTyphoon(to=hex) | MoveOil(to=hex) | MoveMonster(to=hex):
                return self.strikes(hex) + 1
            case _:
                raise AssertionError("every move of a seat has its prospects")

    def worth_of_space(self, space: Space) -> int:
        """The worth of one more marker on a space, beside those placed already."""
        match space:
            case "fishing":
                return self.worth_of_fishing()
            case "selling":
                return self.worth_of_selling()
            case "buying":
                return self.worth_of_buying()
            case "sailing":
                return self.worth_of_sailing()
            case "treasure_island":
                left = sum(self.edition.decks.treasure) - sum(self.view.treasure_used)
                return EURO * left // self.view.treasure_deck_count
            case "thief":
                return self.worth_of_thief()
            case "magic_library":
                return self.worth_of_magic()
            case _:
                return self.worth_of_catastrophe(space)

    def worth_of_fishing(self) -> int:
        """The worth of the next best tile in reach, if there is room for it."""
        planned = self.state.placed.count("fishing")
        freed = len(self.state.store) if "selling" in self.state.placed else 0
        catches = self.catches(self.spot)
        return catches[planned] if planned < min(self.room + freed, len(catches)) else 0

    def worth_of_selling(self) -> int:
        """The earnings of a sale now; half of them while there is room for more tiles."""
        if "selling" in self.state.placed:
            return 0
        planned = self.state.placed.count("fishing")
        gain = self.gain_of_sale() + sum(self.catches(self.spot)[: min(planned, self.room)])
        return gain + FREE_PLACE if self.room <= planned or self.rounds_left == 0 else gain // 2

    def worth_of_buying(self) -> int:
        """The worth of the wanted card, if the player can pay it."""
        return WANTED_CARD if self.can_pay() and "buying" not in self.state.placed else 0

    def worth_of_sailing(self) -> int:
        """The gain from sailing one edge towards the best corner; nothing is gained in the last round."""
        if not self.rounds_left or "sailing" in self.state.placed:
            return 0
        return max(map(self.gain_of_voyage, self.corners_near()), default=0)

    def worth_of_magic(self) -> int:
        """The worth of the next magic card: only cards that the player can use count."""
        unseen = Counter(self.edition.magic_cards) - Counter(self.view.magic_used) - Counter(self.state.magic)
        return MAGIC_CARD * sum(unseen[card] for card in unseen if self.can_use(card)) // unseen.total()

    def can_use(self, card: Magic) -> bool:
        """Whether a magic card helps the player: most cards help at sea, two waive the fee of a card (CF-35, CF-51)."""
        match card:
            case "change":
                return owns(self.state, "wizard") or self.view.options.magic_for_all
            case "warp":
                return owns(self.state, "sorcerer") or self.view.options.magic_for_all
            case "blank" | "storm":
                return False
            case _:
                return owns(self.equipped, "fishing_boat")

    def worth_of_catastrophe(self, space: Space) -> int:
        """The worth of the best strike that a catastrophe can make with its next step."""
        start = {"typhoon": self.view.typhoon, "oil": self.view.oil}.get(space, self.view.monster)
        return max([DISASTER, *map(self.strikes, ADJACENT[start])]) if start is not None else DISASTER

    def worth_of_thief(self) -> int:
        """Half the worth of the best fish of another seat, which may sell it; 0 if other markers would be lost."""
        is_last = len(self.state.placed) + 1 == markers(self.state, self.edition)
        stores = [state.store for other, state in enumerate(self.view.seats) if other != self.seat]
        fish = [self.keeping(tile) for store in stores for tile in store if tile in FISH]
        return max(fish, default=0) // 2 if is_last and self.room > self.state.placed.count("fishing") else 0

    def effort(self, move: Sail) -> int:
        """The cost of a voyage: magic cards and fees."""
        if isinstance(move.warp, UnsetType):
            return 0 if isinstance(move.boosts, UnsetType) else MAGIC_CARD * len(move.boosts)
        return warp_fee(self.state, move.warp, self.edition) * EURO + (MAGIC_CARD if move.warp == "warp" else 0)

    def toll(self, move: Sail | Fish | Sell | Buy) -> int:
        """The cost of a changed action: the magic card or the fee."""
        if isinstance(move.change, UnsetType):
            return 0
        fee = change_fee(self.state, move.change.by, self.edition)
        return fee * EURO + (MAGIC_CARD if move.change.by == "change" else 0)
