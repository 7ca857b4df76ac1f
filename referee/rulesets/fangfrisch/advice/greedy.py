"""What a plain but sensible player does: buy what fits the stall, sell large lots, and keep the trash small.

A stall is worth the prices of its slots; everything is weighed in euros.
"""

from functools import lru_cache
from typing import Final, NamedTuple, cast

from msgspec.structs import astuple

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.bell import Pass, RevealCard, Ring
from referee.rulesets.fangfrisch.canning import ClearTrash
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import (
    CRATES,
    FISH,
    NATURAL,
    SLOTS,
    Cards,
    Species,
    fish_on,
    species_in,
)
from referee.rulesets.fangfrisch.position import SeatState, slot_of
from referee.rulesets.fangfrisch.selling import Lot, SellFish
from referee.rulesets.fangfrisch.stowing import StowCards
from referee.rulesets.fangfrisch.stowing_plans import stowings
from referee.rulesets.fangfrisch.thieving import StealCards
from referee.rulesets.fangfrisch.view import SeatView, View

WORTH_RINGING: Final = 9
"""A lot that adds less to the stall is left to others: the next may be better."""
WORTH_THE_LAST_MONEY: Final = 12
"""The same for a player that could not pay for another lot after this one."""
FISH_PER_TRASHED_CARD: Final = 2
"""The fish on a card of the player's own trash, which lies face down: a card of the box has about two."""
STOWINGS_TRIED: Final = 60
"""The largest number of ways to stow an offer that are compared."""

GAINS_KEPT: Final = 4096
"""The size of the cache of gains: a bot that plays ahead sees the same offers again and again."""

SELL_FROM: Final = 7
"""The smallest number of fish in a lot that is sold; a smaller lot may still grow."""
SELL_FROM_TO_SPOIL: Final = 6
"""The same if the sale spoils `WORTH_SPOILING` fish or more."""
WORTH_SPOILING: Final = 3
SELL_FROM_IN_NEED: Final = 3
"""The same late in the game, and for a player that cannot pay for a lot."""


def choose(view: View, seat: Seat, moves: tuple[Move, ...], edition: Edition) -> Move:
    """The move with the best prospects; among equals the first."""
    player = Player(edition, view, seat)
    return max(moves, key=player.prospects)


def is_worth(view: View, seat: Seat, move: Move, edition: Edition) -> bool:
    """No seat has to act in live pace: the player rings if it wants the offer, and the referee turns the cards."""
    return isinstance(move, Ring) and Player(edition, view, seat).prospects(move) >= (0,)


class Player:
    """A player with a stall and some money that sees the other stalls."""

    def __init__(self, edition: Edition, view: View, seat: Seat) -> None:
        self.edition, self.view, self.seat = edition, view, seat
        self.money = view.seats[seat].money
        self.stall = _stall(view.seats[seat])
        self.others = [_stall(state) for other, state in enumerate(view.seats) if other != seat]
        self.fish = fish_of(self.stall)

    def prospects(self, move: Move) -> tuple[int, ...]:
        """How good a move looks compared with the others of its phase; earlier numbers decide first."""
        match move:
            case Ring():
                return (self.worth_of_offer() - self.least_worth(),)
            case Pass() | RevealCard():
                return (0,)
            case SellFish():
                return (self.worth_of_sales(move),)
            case StealCards():
                return (self.worth_of_thefts(move),)
            case StowCards():
                return self.worth_of_stowing(move)
            case ClearTrash():
                return (sum(FISH[card] for card in move.cards),)
            case _:
                raise AssertionError("every move of a seat has its prospects")

    def least_worth(self) -> int:
        """The least worth of a lot that the player buys: a little less if another seat collects it and can pay."""
        is_last_money = self.money < 2 * self.edition.lot_price
        return (WORTH_THE_LAST_MONEY if is_last_money else WORTH_RINGING) - self.is_wanted_by_others()

    def is_wanted_by_others(self) -> bool:
        """Whether another seat collects a species on offer and can pay."""
        offered = {NATURAL.get(card) for card in self.view.offer} - {None}
        buyers = [stall for stall in self.others if stall.money >= self.edition.lot_price]
        return any(species_in(slot_of(stall, slot)) in offered for stall in buyers for slot in SLOTS)

    def worth_of_offer(self) -> int:
        """What the stall gains if the offer is stowed in the best way, and what its action cards do now."""
        fish = tuple(card for card in self.view.offer if card in FISH)
        thieves, cans = self.view.offer.count("thief"), self.view.offer.count("can")
        worth = gain_of_stall(self.stall, fish, Prices.of(self.edition)) + self.worth_of_cans(cans)
        return worth + self.worth_of_thieves(thieves, fish) if thieves else worth

    def worth_of_thieves(self, thieves: int, fish: Cards) -> int:
        """What the best top cards of the others add to the stall beside the fish of the offer."""
        prices = Prices.of(self.edition)
        tops = [cards[-1] for stall in self.others for slot in SLOTS if (cards := slot_of(stall, slot))]
        alone = gain_of_stall(self.stall, fish, prices)
        gains = sorted([gain_of_stall(self.stall, (*fish, top), prices) - alone for top in tops], reverse=True)
        return sum(gain for gain in gains[:thieves] if gain > 0)

    def worth_of_cans(self, cans: int) -> int:
        """What the cards that cans can remove from the trash would cost."""
        removed = min(cans * self.edition.can_removes_max, self.view.seats[self.seat].trash_count)
        return removed * FISH_PER_TRASHED_CARD * self.edition.trash_cost_per_fish

    def worth_of_stowing(self, move: StowCards) -> tuple[int, int]:
        """The worth of the stall afterwards, less the cost of discards; among equals, more fish in the safe basin."""
        return worth_of_stowing(self.fish, move, Prices.of(self.edition))

    def worth_of_sales(self, move: SellFish) -> int:
        """The worth of the lots, the best first: what it earns may make the sale of a small one needless."""
        lots = sorted(move.lots, key=lambda lot: fish_on(slot_of(self.stall, lot.slot)), reverse=True)
        worth, money = 0, self.money
        for lot in lots:
            worth += self.worth_of_sale(lot, money)
            money += self.edition.price_of(fish_on(slot_of(self.stall, lot.slot)), half=False)
        return worth

    def worth_of_sale(self, lot: Lot, money: int) -> int:
        """The price of a lot and the fish that it spoils on other stalls; -1 for a lot that should grow first."""
        cards = slot_of(self.stall, lot.slot)
        species = species_in(cards) or lot.species
        spoils = self.spoils(species) if isinstance(species, str) else 0
        if fish_on(cards) < self.sells_from(spoils, money):
            return -1
        return self.edition.price_of(fish_on(cards), half=False) + spoils

    def sells_from(self, spoils: int, money: int) -> int:
        """The smallest number of fish that the player sells: fewer if the sale spoils fish of others."""
        if self.view.phase == "final_sale":
            return 1
        is_late = "end_phase" in self.view.aside
        if is_late or money < self.edition.lot_price:
            return SELL_FROM_IN_NEED
        return SELL_FROM_TO_SPOIL if spoils >= WORTH_SPOILING else SELL_FROM

    def spoils(self, species: Species) -> int:
        """The number of fish that the others lose by a sale of this species."""
        crates = [slot_of(stall, crate) for stall in self.others for crate in CRATES]
        return sum(FISH[cards[-1]] for cards in crates if species_in(cards) == species)

    def worth_of_thefts(self, move: StealCards) -> int:
        """Fish that join their like count most; fish that would only fill the trash count nothing."""
        sum_of_worths = 0
        for number, theft in enumerate(move.thefts):
            cards = slot_of(_stall(self.view.seats[theft.seat]), theft.slot)
            card = cards[-1 - move.thefts[:number].count(theft)]
            sum_of_worths += FISH[card] * self.fits(NATURAL.get(card))
        return sum_of_worths

    def fits(self, species: Species | None) -> int:
        """How well a species, or a joker, fits the stall: 2 beside its like, 1 on a free slot, else 0."""
        lying = [species_in(slot_of(self.stall, slot)) for slot in SLOTS]
        if species is None or species in lying:
            return 2
        return 1 if None in lying else 0


class Prices(NamedTuple):
    """What lots of fish earn, and what a fish in the trash costs."""

    price: tuple[int, ...]
    trash: int

    @classmethod
    def of(cls, edition: Edition) -> "Prices":
        """The prices of an edition."""
        return cls(edition.price, edition.trash_cost_per_fish)

    def lot(self, fish: int) -> int:
        """The price of a lot with this number of fish."""
        return self.price[min(fish, len(self.price)) - 1] if fish else 0


@lru_cache(maxsize=GAINS_KEPT)
def gain_of_stall(stall: SeatState, fish: Cards, prices: Prices) -> int:
    """What a stall gains if the fish are stowed in the best way, less the cost of discards."""
    if not fish:
        return 0
    ways = stowings(stall, fish, STOWINGS_TRIED)
    lying = fish_of(stall)
    return max([worth_of_stowing(lying, way, prices)[0] for way in ways]) - worth_of_stall(stall, prices)


def worth_of_stall(stall: SeatState, prices: Prices) -> int:
    """The sum of the prices of the slots."""
    return sum([prices.lot(fish) for fish in fish_of(stall)])


def fish_of(stall: SeatState) -> tuple[int, ...]:
    """The number of fish in each slot."""
    return tuple([fish_on(slot_of(stall, slot)) for slot in SLOTS])


def worth_of_stowing(lying: tuple[int, ...], move: StowCards, prices: Prices) -> tuple[int, int]:
    """The worth of the stall afterwards less the cost of discards, and the fish in the basin."""
    worth, trashed, fish = 0, fish_on(cast(Cards, move.discard)), 0
    for slot, there, pile in zip(SLOTS, lying, astuple(move.place), strict=True):
        fish = fish_on(pile) if pile else 0
        if slot in move.empty_slots:
            trashed += there
        else:
            fish += there
        worth += prices.lot(fish)
    return worth - trashed * prices.trash, fish


def _stall(state: SeatView) -> SeatState:
    """A stall as everybody sees it."""
    return SeatState(
        money=state.money, crate_1=state.crate_1, crate_2=state.crate_2, basin=state.basin, trash=(), answer=None
    )
