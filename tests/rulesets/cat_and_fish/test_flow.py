"""The flow of a game: CF-1 to CF-9, triggers, safe defaults, and a whole game."""

from collections import Counter
from typing import Any

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves
from referee.kernel.message import tag
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.catastrophes import PlaceMonster
from referee.rulesets.cat_and_fish.dues import PayDues
from referee.rulesets.cat_and_fish.flight import Flee
from referee.rulesets.cat_and_fish.placement import PlaceMarker
from referee.rulesets.cat_and_fish.position import DuesCall, OilFlight, Options, TyphoonFlight
from referee.rulesets.cat_and_fish.scoring import ScoreGame
from referee.rulesets.cat_and_fish.seasons import EndSeason, StartYear
from referee.rulesets.cat_and_fish.setup import SetUp
from referee.rulesets.cat_and_fish.summoner import AwardSummoner
from referee.rulesets.cat_and_fish.turns import EndTurn
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given, later, seats

BUSY = "fishing sailing selling buying typhoon oil thief"


def active() -> Given:
    """Seat 0 may do anything; it has every card and fish that the moves below name."""
    cat = Cat(
        cards="wizard sorcerer fishing_net cold_storage", money=9, store="crab tuna", magic="storm engine", placed=BUSY
    )
    return given(cat, Cat("c3", store="tuna", placed="oil"), season="winter", thief=0)


@clause("CF-1")
@pytest.mark.parametrize(
    "move",
    [
        {"type": "no_such_move"},
        {"hex": "1,-1"},
        {"type": "fish"},
        {"type": "fish", "hex": "0,0"},
        {"type": "fish", "hex": "4,0"},
        {"type": "fish", "hex": None},
        {"type": "fish", "hex": "1,-1", "good_haul": 0},
        {"type": "fish", "hex": "1,-1", "good_haul": None},
        {"type": "fish", "hex": "1,-1", "change": None},
        {"type": "fish", "hex": "1,-1", "change": {"from": "buying"}},
        {"type": "fish", "hex": "1,-1", "change": {"from": "buying", "by": "sorcerer"}},
        {"type": "fish", "hex": "1,-1", "change": {"from": "harbour", "by": "wizard"}},
        {"type": "fish", "hex": "1,-1", "change": {"from": "buying", "by": "wizard", "paid": 1}},
        {"type": "fish", "hex": "1,-1", "seat": 0},
        {"type": "sail", "to": "d0"},
        {"type": "sail", "to": "c6"},
        {"type": "sail", "to": "c1", "boosts": []},
        {"type": "sail", "to": "c1", "boosts": ["storm"]},
        {"type": "sail", "to": "c1", "boosts": "engine"},
        {"type": "sail", "to": "c1", "warp": True},
        {"type": "sell", "tiles": []},
        {"type": "sell", "tiles": ["cod"]},
        {"type": "sell"},
        {"type": "buy", "card": "harpoon"},
        {"type": "open_treasure", "count": 1},
        {"type": "move_typhoon", "to": "2,0", "storm": "no"},
        {"type": "move_typhoon", "to": "0,0"},
        {"type": "move_oil", "to": "-2,0", "storm": True},
        {"type": "steal", "seat": 2, "tile": "tuna"},
        {"type": "steal", "seat": -1, "tile": "tuna"},
        {"type": "steal", "seat": "1", "tile": "tuna"},
        {"type": "steal", "seat": True, "tile": "tuna"},
        {"type": "steal", "seat": 1},
        {"type": "end_turn", "now": True},
        {"type": "place_marker", "space": "harbour"},
        {"type": "flee", "to": "c0", "tile": None},
        {"type": "end_season", "season": "summer"},
    ],
)
def test_a_move_has_a_known_type_and_exactly_its_parameters(move: dict[str, Any]) -> None:
    active().when(0, move).refused("CF-1")


@clause("CF-1")
@pytest.mark.parametrize(
    "move",
    [
        {"type": "fish", "hex": "1,-2"},
        {"type": "fish", "hex": "1,-1", "change": {"from": "buying", "by": "wizard"}},
        {"type": "sail", "to": "c1", "boosts": ["engine"]},
        {"type": "sail", "to": "b15", "warp": "sorcerer"},
        {"type": "sell", "tiles": ["crab", "tuna"]},
        {"type": "buy", "card": "fishing_boat"},
        {"type": "move_typhoon", "to": "1,1", "storm": True},
        {"type": "move_oil", "to": "-2,0"},
        {"type": "steal", "seat": 1, "tile": "tuna"},
        {"type": "end_turn"},
    ],
)
def test_a_well_formed_move_is_read_as_the_rules_write_it(move: dict[str, Any]) -> None:
    assert active().when(0, move).events


@clause("CF-2")
def test_a_move_belongs_to_its_phase() -> None:
    active().when(0, PlaceMarker("fishing")).refused("CF-2")
    active().when(0, Flee("c0")).refused("CF-2")
    active().when(0, PayDues("money")).refused("CF-2")
    active().when(0, PlaceMonster("1,0")).refused("CF-2")
    given(phase="placement").when(0, EndTurn()).refused("CF-2")


@clause("CF-2")
def test_a_trigger_must_be_the_one_that_is_due() -> None:
    for trigger in (SetUp(), EndSeason(), AwardSummoner(), StartYear(), ScoreGame()):
        active().when(REFEREE, trigger).refused("CF-2")
    given(phase="season_end").when(REFEREE, StartYear()).refused("CF-2")


@clause("CF-2")
def test_nothing_is_played_in_a_finished_game() -> None:
    table = given(Cat(cards="summoner"), Cat("c2"), phase="finished", **later(year=5, season="winter"))
    table.when(0, EndTurn()).refused("CF-2")
    table.when(REFEREE, ScoreGame()).refused("CF-2")
    assert awaited(table) == []
    assert CAT_AND_FISH.due(table.position) is None


@clause("CF-3")
def test_the_actor_must_be_awaited() -> None:
    active().when(1, EndTurn()).refused("CF-3")
    active().when(7, EndTurn()).refused("CF-3")
    active().when(REFEREE, EndTurn()).refused("CF-3")
    given(phase="season_end").when(0, EndSeason()).refused("CF-3")


@clause("CF-1", "CF-2", "CF-3")
def test_form_comes_before_phase_and_phase_before_actor() -> None:
    table = given(phase="placement")
    table.when(1, {"type": "steal", "seat": 9, "tile": "tuna"}).refused("CF-1")
    table.when(1, {"type": "steal", "seat": 0, "tile": "tuna"}).refused("CF-2")
    table.when(1, {"type": "place_marker", "space": "fishing"}).refused("CF-3")
    given(phase="season_end").when(0, StartYear()).refused("CF-2")


@clause("CF-6", "CF-R34")
def test_money_is_never_negative_and_the_bank_pays_any_sum() -> None:
    table = given(Cat(money=10**6, store="tuna", placed="selling oil"), Cat("c3"))
    after = table.when(0, {"type": "sell", "tiles": ["tuna"]}).position
    assert after.seats[0].money == 10**6 + 4


@pytest.mark.parametrize(
    ("phase", "rest", "move"),
    [
        ("season_end", {}, EndSeason()),
        ("season_end", {"season": "winter"}, EndSeason()),
        ("season_end", later(year=5, season="winter"), ScoreGame()),
        ("summoning", {"year": 3, "season": "winter"}, AwardSummoner()),
        ("year_end", {"season": "winter"}, StartYear()),
    ],
)
def test_what_the_referee_owes_is_due_at_once(phase: str, rest: dict[str, Any], move: Any) -> None:
    table = given(Cat(cards="summoner" if "monster" in rest else ""), Cat("c2"), phase=phase, **rest)
    assert CAT_AND_FISH.due(table.position) == Due(move, 0)
    assert awaited(table) == []


def test_the_set_up_is_due_first() -> None:
    blank = CAT_AND_FISH.blank(Options(), 2)
    assert CAT_AND_FISH.due(blank) == Due(SetUp())
    assert CAT_AND_FISH.awaited(blank) == ()


def test_an_awaited_seat_sees_the_moves_of_the_phase() -> None:
    assert CAT_AND_FISH.awaited(given(phase="placement").position) == (
        Decision(Seat(0), ("place_marker", "stop_placing")),
    )
    assert CAT_AND_FISH.awaited(active().position)[0].moves == (
        "fish",
        "sail",
        "sell",
        "buy",
        "open_treasure",
        "draw_magic",
        "move_typhoon",
        "move_oil",
        "move_monster",
        "steal",
        "end_turn",
    )


@pytest.mark.parametrize(
    ("placed", "default"),
    [
        ("", "fishing"),
        ("fishing fishing", "selling"),
        ("fishing fishing selling", "buying"),
        ("fishing fishing selling buying", "sailing"),
        ("fishing fishing selling buying sailing", "typhoon"),
        ("fishing fishing selling buying sailing typhoon", "oil"),
    ],
)
def test_the_safe_default_of_a_placement_is_the_first_space_with_room(placed: str, default: str) -> None:
    """Each space is taken twice over, so that both markers of a pair are on it."""
    doubled = " ".join(f"{space} {space}" for space in placed.split())
    table = given(Cat("c0"), Cat("c2", placed=doubled), Cat("c4"), phase="placement")
    assert CAT_AND_FISH.default(table.position, Seat(0)) == PlaceMarker(default)
    table.when(0, PlaceMarker(default)).tells("marker_placed")


def test_the_safe_default_of_a_turn_is_its_end() -> None:
    assert CAT_AND_FISH.default(active().position, Seat(0)) == EndTurn()


@clause("CF-R54")
@pytest.mark.parametrize(
    ("store", "season", "tile"),
    [("tuna swordfish", "winter", "swordfish"), ("tuna swordfish", "spring", "tuna"), ("shark tuna", "summer", "tuna")],
)
def test_the_safe_default_of_a_flight_is_the_cheapest_fish_and_the_first_corner(
    store: str, season: str, tile: str
) -> None:
    victim = Cat("b0", cards="fishing_boat fishing_vessel", store=store)
    sea = {"phase": "flee", "typhoon": "1,-2", "season": season}
    table = given(Cat("c3", placed="oil"), victim, pending=TyphoonFlight(Seat(0), "execution", seats(1), {}), **sea)
    assert CAT_AND_FISH.default(table.position, Seat(1)) == Flee("b2", tile)


def test_the_safe_default_of_a_flight_from_oil_names_no_fish() -> None:
    victim = Cat("b0", cards="fishing_boat fishing_vessel", store="tuna")
    pending = OilFlight(Seat(0), "execution", seats(1), {})
    table = given(Cat("c3", placed="oil"), victim, pending=pending, phase="flee", oil="1,-2")
    assert CAT_AND_FISH.default(table.position, Seat(1)) == Flee("b2")


@clause("CF-R54")
@pytest.mark.parametrize(
    ("money", "store", "default"),
    [
        (2, "crab", PayDues("money")),
        (1, "tuna crab", PayDues("fish", "crab")),
        (0, "crab shrimp", PayDues("fish", "crab")),
    ],
)
def test_the_safe_default_of_dues_is_money_else_the_cheapest_fish(money: int, store: str, default: PayDues) -> None:
    cats = (Cat(money=money, store=store), Cat("c3", store="tuna"))
    table = given(*cats, phase="dues", season="winter", pending=DuesCall(seats(0, 1), {}))
    assert CAT_AND_FISH.default(table.position, Seat(0)) == default


def test_the_safe_default_of_the_monster_is_the_last_hex_that_touches_no_pawn() -> None:
    table = given(Cat("c0", cards="summoner"), Cat("c3"), phase="monster", season="winter", year=3)
    assert CAT_AND_FISH.default(table.position, Seat(0)) == PlaceMonster("1,-3")
    fleet = "fishing_boat fishing_vessel"
    near = given(Cat("b28", cards=f"{fleet} summoner"), Cat("c3"), phase="monster", season="winter", year=3)
    assert CAT_AND_FISH.default(near.position, Seat(0)) == PlaceMonster("-1,-2")


@clause("CF-4")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_five_years_of_four_seasons_with_27_triggers(players: int) -> None:
    chance, position = Seeded(f"game of {players}"), CAT_AND_FISH.blank(Options(), players)
    triggers: list[str] = []
    rounds: list[tuple[int, str]] = []
    commits = 0
    while (due := CAT_AND_FISH.due(position)) or CAT_AND_FISH.awaited(position):
        if due is not None:
            actor, move = REFEREE, due.move
            triggers.append(tag(move))
        else:
            actor = CAT_AND_FISH.awaited(position)[0].seat
            moves = legal_moves(CAT_AND_FISH, position, actor)
            move = moves[chance.number("any", 0, len(moves) - 1)]
        events, position = CAT_AND_FISH.play(position, actor, move, chance)
        rounds += [(event.year, event.season) for event in events if tag(event) == "round_completed"]
        commits += 1
    assert Counter(triggers) == {
        "set_up": 1,
        "end_season": 19,
        "start_year": 4,
        "award_summoner": 2,
        "score_game": 1,
    }
    assert len(triggers) == 27
    assert rounds == [(year, season) for year in range(1, 6) for season in ("spring", "summer", "autumn", "winter")]
    assert commits < CAT_AND_FISH.commits_max
