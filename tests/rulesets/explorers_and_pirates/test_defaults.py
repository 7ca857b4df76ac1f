"""Safe defaults and the list of candidates (section 6)."""

from referee.kernel.candidates import one_by_one
from referee.kernel.judge import legal_moves
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.building import BuildShip
from referee.rulesets.explorers_and_pirates.cargo import DiscardCargo, TransferCargo
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.founding import PlaceHarbor, PlaceRoad, PlaceSettlement, PlaceSettlerShip
from referee.rulesets.explorers_and_pirates.missions.captures import ClaimHero
from referee.rulesets.explorers_and_pirates.offers import DeclineTrade, WithdrawTrade
from referee.rulesets.explorers_and_pirates.pieces import parts_of
from referee.rulesets.explorers_and_pirates.pirates import PlacePirate
from referee.rulesets.explorers_and_pirates.position import Discards, Hero, Offer, Position
from referee.rulesets.explorers_and_pirates.pressing import TIMES, pressing
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_position, a_table, fresh, seat


def default(position: Position, number: int = 0):
    return EXPLORERS_AND_PIRATES.default(position, number)


@clause("EP-R39")
def test_founding_places_the_first_legal_piece_in_the_order_of_ids() -> None:
    table = fresh("pirate-lairs", seats=2)
    expected = [
        PlaceHarbor(corner="1,2,N"), PlaceHarbor(corner="1,3,N"), PlaceHarbor(corner="1,4,N"),
        PlaceHarbor(corner="2,0,N"), PlaceSettlement(corner="-1,1,N"),
    ]  # fmt: skip
    for move in expected:
        (decision,) = EXPLORERS_AND_PIRATES.awaited(table.position)
        assert default(table.position, decision.seat) == move
        assert min(each.corner for each in table.legal(decision.seat)) == move.corner
        table = Given(table.ruleset, table.when(decision.seat, move).position)


def test_safe_defaults_bring_the_founding_to_the_first_turn() -> None:
    table = fresh(seats=4)
    kinds = []
    while table.position.phase == "founding":
        (decision,) = EXPLORERS_AND_PIRATES.awaited(table.position)
        move = default(table.position, decision.seat)
        kinds.append(type(move))
        table = Given(table.ruleset, table.when(decision.seat, move).position)
    assert kinds[:8] == [PlaceHarbor] * 4 + [PlaceSettlement] * 4
    assert kinds[8:] == [PlaceRoad, PlaceSettlerShip] * 4
    assert default(table.position) == RollDice()


def test_discards_begin_with_the_most_frequent_resource() -> None:
    hands = (seat("brick2 lumber3 grain3 ore1"), seat())
    position = a_position(*hands, phase="discard", discards=Discards(need={"0": 4}, given={}))
    assert default(position) == Discard(resources={"lumber": 3, "grain": 1})


def test_a_pirate_goes_to_the_first_hex_and_robs_nobody() -> None:
    position = a_position(seat(), seat("ore1", ships={"1-1": "4,-2,E"}), phase="pirate", pirate_by="seven")
    assert default(position) == PlacePirate(hex="6,-3")
    own = a_position(seat(), seat(), phase="pirate", pirate_by="seven", pirate=(0, "6,-3"))
    assert default(own) == PlacePirate(hex="5,-2")


def test_other_safe_defaults_end_the_turn_or_the_offer() -> None:
    offer = Offer(give={"brick": 1}, want={"ore": 1}, to=(1,), accepted=(), declined=())
    open_offer = a_position(seat("brick1"), seat("ore1"), offer=offer)
    assert (default(open_offer, 0), default(open_offer, 1)) == (WithdrawTrade(), DeclineTrade())
    assert default(a_position(seat(), seat())) == EndTurn()
    assert default(a_position(seat(), seat(), phase="movement")) == EndTurn()
    river = {"up": {"5,-1": "gold_river"}, "units": {"5,-1": {"0": 2, "1": 1}}}
    hero = a_position(seat(), seat(), phase="hero", hero=Hero(hex="5,-1", seat=1), **river)
    assert default(hero, 1) == ClaimHero(advance=True)


def test_every_distinct_part_of_a_hold_is_found_once() -> None:
    assert parts_of(("unit", "unit")) == (("unit",), ("unit", "unit"))
    assert parts_of(("unit", "spice")) == (("unit",), ("spice",), ("unit", "spice"))
    assert parts_of(()) == ()


def test_pressing_moves_are_candidates_many_times_but_are_listed_once() -> None:
    assert list(one_by_one(pressing((EndTurn(),)))) == [EndTurn()] * TIMES
    table = a_table(seat(), seat())
    named = list(one_by_one(EXPLORERS_AND_PIRATES.candidates(table.position, 0)))
    assert named.count(StartMovement()) > 1
    assert legal_moves(EXPLORERS_AND_PIRATES, table.position, 0) == (StartMovement(), EndTurn())


def test_cargo_can_be_thrown_away_and_exchanged_in_every_way() -> None:
    own = seat(harbors={"2,0,N": "unit spice"}, ships={"0-1": "2,0,NE unit"})
    moves = a_table(own, seat(), phase="movement").legal(0)
    assert len([move for move in moves if isinstance(move, DiscardCargo)]) == 4
    exchanges = {(move.load, move.unload) for move in moves if isinstance(move, TransferCargo)}
    assert exchanges == {
        (("unit",), ()), (("spice",), ()), (("unit",), ("unit",)), (("spice",), ("unit",)),
        (("unit", "spice"), ("unit",)),
    }  # fmt: skip


def test_replacements_are_listed_for_every_ship_and_route() -> None:
    ships = {"0-1": "3,0,NE", "0-2": "3,0,NE", "0-3": "3,0,NW"}
    table = a_table(seat("lumber1 wool1", harbors={"2,0,N": ""}, ships=ships), seat())
    moves = [move for move in table.legal(0) if isinstance(move, BuildShip)]
    assert len(moves) == 2 * 3
    assert all(move.replace is not None for move in moves)
