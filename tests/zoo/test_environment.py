"""Every title as a PettingZoo environment: PettingZoo's own tests, observations, rewards."""

import random
from functools import partial
from typing import Any, cast

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test

from referee.audit.verify import audit
from referee.kernel.chance import Seeded
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.offline.plan import Unplayable
from referee.rulesets import TITLES
from referee.zoo import Environment, env
from referee.zoo.environment import rewards_of
from referee.zoo.features import BOUND, features

CYCLES = 40
LIVE = {"pace": "live"}

BOUNDS = [
    pytest.param(title.slug, seats, id=f"{title.slug}-{seats}")
    for title in TITLES
    for seats in (title.seats[0], title.seats[-1])
]
every_title = pytest.mark.parametrize("title", [pytest.param(title, id=title.slug) for title in TITLES])
harmless = pytest.mark.filterwarnings("ignore")


def play(table: Environment, luck: random.Random, steps: int = 100_000) -> list[dict[str, float]]:
    """Play at random until the end or for this number of steps, and return the rewards after each."""
    rewards = []
    for _ in range(steps):
        if not table.agents or any(table.terminations.values()) or any(table.truncations.values()):
            break
        table.step(luck.randrange(len(table.infos[table.agent_selection]["moves"])))
        rewards.append(dict(table.rewards))
    return rewards


@harmless
@pytest.mark.parametrize(("slug", "seats"), BOUNDS)
def test_the_interface_test_of_pettingzoo_passes(slug: str, seats: int) -> None:
    api_test(env(slug, seats), num_cycles=CYCLES)


@harmless
@pytest.mark.parametrize(("slug", "seats"), BOUNDS)
def test_the_seed_test_of_pettingzoo_passes(slug: str, seats: int) -> None:
    seed_test(partial(env, slug, seats), num_cycles=CYCLES)


@harmless
def test_the_tests_of_pettingzoo_pass_where_seats_may_wait() -> None:
    api_test(env("fangfrisch", 3, LIVE), num_cycles=200)
    seed_test(partial(env, "fangfrisch", 3, LIVE), num_cycles=100)


@every_title
def test_the_record_of_a_finished_episode_is_proved(title: Ruleset) -> None:
    table = Environment(title.slug, title.seats[0])
    table.reset(seed=7)
    rewards = play(table, random.Random(7))
    assert all(table.terminations.values())
    assert audit(table.record).verdict == "proved"
    assert all(not any(each.values()) for each in rewards[:-1])
    assert sum(table.rewards.values()) == pytest.approx(0)
    ranks = {f"seat_{place.seat}": place.rank for place in title.ranking(table._state.position)}
    assert sorted(ranks, key=lambda agent: ranks[agent]) == sorted(ranks, key=lambda agent: -table.rewards[agent])


def test_the_record_of_a_running_episode_has_no_secret() -> None:
    table = Environment("catham-city", 2)
    table.reset(seed=7)
    assert table.record.secret is None
    assert audit(table.record).verdict == "running"


@pytest.mark.parametrize(
    ("ranks", "rewards"),
    [
        ((1, 2), [1, -1]),
        ((1, 1), [0, 0]),
        ((3, 1, 2), [-1, 1, 0]),
        ((1, 1, 3), [0.5, 0.5, -1]),
        ((1, 2, 2, 2), [1, -1 / 3, -1 / 3, -1 / 3]),
    ],
)
def test_rewards_follow_ranks_and_equal_ranks_share_them(ranks: tuple[int, ...], rewards: list[float]) -> None:
    assert rewards_of(ranks) == pytest.approx(rewards)


def test_an_agent_that_may_wait_is_selected_once_per_position() -> None:
    """In the live pace nobody has to ring: the first action is to wait, and when all wait, time passes."""
    table = Environment("fangfrisch", 3, LIVE)
    table.reset(seed=7)
    while table.infos[table.agent_selection]["moves"][0] is not None:
        table.step(0)
    selected, before = [], table._state
    while table._state.version == before.version:
        assert table.infos[table.agent_selection]["moves"][0] is None
        selected.append(table.agent_selection)
        table.step(0)
    assert len(selected) == len(set(selected))
    assert msgspec.json.decode(table.record.entries[before.version].body)["move"]["type"] == "show_offer"
    assert table._state.at >= before.at + 4000


def test_a_live_episode_in_which_agents_ring_is_proved() -> None:
    table = Environment("fangfrisch", 3, LIVE)
    table.reset(seed=7)
    play(table, random.Random(3))
    assert b'"type":"ring"' in b"".join(entry.body for entry in table.record.entries)
    assert audit(table.record).verdict == "proved"


@every_title
def test_hidden_information_does_not_change_an_observation(title: Ruleset) -> None:
    table = Environment(title.slug, title.seats[-1])
    table.reset(seed=7)
    luck = random.Random(7)
    differing = 0
    for number in range(12):
        play(table, luck, steps=7)
        if any(table.terminations.values()):
            table.reset()
        true = table._state
        for seat, agent in enumerate(table.possible_agents):
            before = shown(table, agent)
            other = title.alike(true.position, Seat(seat), Seeded(number))
            differing += other != true.position
            put(table, replace(true, position=other))
            assert shown(table, agent) == before
            put(table, true)
    assert differing > 0


def put(table: Environment, state: Any) -> None:
    table._state = state
    table._select(Seat(table.possible_agents.index(table.agent_selection)))


def shown(table: Environment, agent: str) -> dict[str, Any]:
    """Return everything that an agent can see."""
    observed = {name: value.tolist() for name, value in table.observe(agent).items()}
    return {**observed, "info": table.infos[agent], "mine": agent == table.agent_selection}


def test_the_same_seed_leads_to_the_same_episodes() -> None:
    tables = [Environment("catham-city", 3), Environment("catham-city", 3)]
    seen = []
    for table in tables:
        table.reset(seed=5)
        first = table.infos
        table.reset()
        seen.append((first, table.infos))
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


def test_an_episode_that_is_too_long_is_truncated_without_rewards() -> None:
    table = Environment("catham-city", 2, commits_max=10)
    table.reset(seed=7)
    play(table, random.Random(7))
    assert all(table.truncations.values()) and not any(table.terminations.values())
    assert not any(table.rewards.values())
    assert len(table.record.entries) == 10


def test_the_number_of_moves_left_out_of_a_long_list_is_reported() -> None:
    table = Environment("catham-city", 2, actions=3)
    table.reset(seed=7)
    info = table.infos[table.agent_selection]
    assert len(info["moves"]) == 3
    assert info["moves_left_out"] > 0
    assert table.observe(table.agent_selection)["action_mask"].tolist() == [1, 1, 1]


def test_an_illegal_action_raises_or_with_wrappers_ends_the_episode() -> None:
    raw = Environment("catham-city", 2)
    raw.reset(seed=7)
    with pytest.raises(ValueError, match=r"legal actions 0 to \d+, not 511"):
        raw.step(511)
    wrapped = env("catham-city", 2)
    wrapped.reset(seed=7)
    agent = wrapped.agent_selection
    wrapped.step(511)
    assert wrapped.terminations[agent]
    assert wrapped.rewards[agent] == -1


def test_bad_arguments_are_refused() -> None:
    for arguments, message in (
        (("chess", 2), "unknown ruleset `chess`"),
        (("catham-city", 1), "CC-"),
        (("catham-city", 2, {"speed": 1}), "unknown field `speed`"),
    ):
        with pytest.raises(Unplayable, match=message):
            env(*arguments)


def test_reset_overrides_options_for_one_game() -> None:
    table = env("catham-city", 2, {"journalists_bonus": "active"})
    defaults = {"journalists_bonus": "active", "expert": False}
    table.reset(seed=7, options={"expert": True})
    assert table.unwrapped.record.header.options.items() >= {**defaults, "expert": True}.items()
    assert table.unwrapped._state.position.options.expert
    play(table.unwrapped, random.Random(7))
    assert audit(table.unwrapped.record).verdict == "proved"
    table.reset()
    assert table.unwrapped.record.header.options.items() >= defaults.items()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": 1}, "unknown field `speed`; the options are: fac"),
        ({"expert": "maybe"}, "Expected `bool`, got `str`"),
        ({"first_seat": 7}, "CC-S3"),
        ({"options": 1, "expert": True}, "unknown field `options`"),
    ],
)
def test_bad_options_are_refused_and_change_nothing(options: Any, message: str) -> None:
    table = Environment("catham-city", 2)
    table.reset(seed=7)
    before = table.record
    with pytest.raises(ValueError, match=message):
        table.reset(options=options)
    assert table.record == before
    table.reset()
    assert table.record.header.game != before.header.game


@pytest.mark.parametrize("mode", ["human", "rgb_array", ""])
def test_an_unknown_render_mode_is_refused(mode: str) -> None:
    assert env("catham-city", 2).metadata["render_modes"] == ["ansi"]
    with pytest.raises(ValueError, match=f"unknown render mode `{mode}`; there are: ansi"):
        env("catham-city", 2, render_mode=mode)


def test_another_edition_can_be_played() -> None:
    table = Environment("catham-city", 2, edition="short")
    table.reset(seed=7)
    play(table, random.Random(7))
    assert audit(table.record).verdict == "proved"


@every_title
def test_the_view_of_a_spectator_is_rendered_for_people(title: Ruleset) -> None:
    table = Environment(title.slug, title.seats[0], render_mode="ansi")
    table.reset(seed=7)
    play(table, random.Random(7), steps=20)
    text = table.render()
    assert f"phase: {table._state.position.phase}" in text
    assert "seat 0" in text and "seat 1" in text
    assert not any(mark in text for mark in ('"', "{", "None", "null"))


@every_title
def test_the_moves_of_the_selected_agent_have_features(title: Ruleset) -> None:
    table = Environment(title.slug, title.seats[0], actions=600, move_features=32)
    table.reset(seed=7)
    for _ in range(20):
        chooser = table.agent_selection
        observed = table.observe(chooser)
        assert table.observation_space(chooser).contains(observed)
        moves = table.infos[chooser]["moves"]
        assert [features(move, 32).tolist() for move in moves] == observed["moves"][: len(moves)].tolist()
        assert not observed["moves"][len(moves) :].any()
        assert np.flatnonzero(observed["action_mask"]).tolist() == list(range(len(moves)))
        assert not any(table.observe(other)["moves"].any() for other in table.agents if other != chooser)
        play(table, random.Random(len(moves)), steps=1)


@pytest.mark.parametrize("by", ["rank", "score"])
@every_title
def test_dense_rewards_add_up_to_what_the_end_is_worth(title: Ruleset, by: Any) -> None:
    table, early = Environment(title.slug, title.seats[0], rewards=by), 0
    for seed in range(2):
        table.reset(seed=seed)
        first = {place.seat: place.score for place in title.ranking(table._state.position)}
        rewards = play(table, random.Random(seed))
        early += sum(any(each.values()) for each in rewards[:-1])
        total = [sum(each[agent] for each in rewards) for agent in table.possible_agents]
        places = sorted(title.ranking(table._state.position), key=lambda place: place.seat)
        worth = rewards_of([place.rank for place in places])
        gained = [place.score - first[place.seat] for place in places]
        assert total == pytest.approx(worth if by == "rank" else gained)
    assert early, "there are rewards before the end"


@every_title
def test_a_resampled_world_looks_the_same_to_the_agent_and_can_be_played_on(title: Ruleset) -> None:
    table = Environment(title.slug, title.seats[-1])
    table.reset(seed=7)
    play(table, random.Random(7), steps=15)
    agent = table.agent_selection
    before, state = shown(table, agent), table._state
    worlds = [table.resample(agent, seed) for seed in range(8)]
    assert all(shown(world, agent) == before for world in worlds)
    assert table.resample(agent, 3)._state == worlds[3]._state
    assert len({str(world._state.position) for world in worlds}) > 1, "the worlds differ in what the agent cannot see"
    for world in worlds[:2]:
        play(world, random.Random(1))
        assert all(world.terminations.values())
        with pytest.raises(ValueError, match="has no record"):
            _ = world.record
    assert (shown(table, agent), table._state) == (before, state), "the true game is untouched"


def test_unknown_rewards_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown rewards `gold`; there are: end, rank, score"):
        Environment("catham-city", 2, rewards=cast(Any, "gold"))


def test_features_distinguish_values_and_stay_within_their_bounds() -> None:
    assert features({"a": 1}, 64).tolist() != features({"a": 2}, 64).tolist()
    assert features({"a": None}, 64).tolist() != features({"a": False}, 64).tolist()
    assert features({"a": []}, 64).tolist() != features({"a": [0]}, 64).tolist()
    assert features({"a": 1, "b": "x"}, 64).tolist() == features({"b": "x", "a": 1}, 64).tolist()
    assert abs(features([10**18] * 500, 4)).max() == BOUND
    assert features([-(10**6)], 1).tolist() == [-value for value in features([10**6], 1).tolist()]
