"""The baseline that learns."""

import numpy as np
import pytest

from referee.audit.verify import audit
from referee.zoo.learning import FEATURES, Policy, evaluate, main, play, table, train

SLUG = "catham-city"
GAMES = 60


def chances_of(policy: Policy, observation: dict[str, np.ndarray], draws: int = 2000) -> np.ndarray:
    """How often a policy chooses each move."""
    random = np.random.default_rng(5)
    chosen = [policy.choose(observation, random)[0] for _ in range(draws)]
    return np.bincount(chosen, minlength=int(observation["action_mask"].sum())) / draws


def test_a_policy_that_has_learned_nothing_chooses_evenly_and_a_reward_makes_a_move_more_likely() -> None:
    environment = table(SLUG)
    environment.reset(seed=1)
    observation = environment.observe(environment.agent_selection)
    policy = Policy()
    before = chances_of(policy, observation)
    assert before.max() < 2 * before.min()
    chosen, step = policy.choose(observation, np.random.default_rng(1))
    policy.learn([step], advantage=1, rate=2)
    rewarded = chances_of(policy, observation)
    policy.learn([step], advantage=-1, rate=4)
    assert chances_of(policy, observation)[chosen] < before[chosen] < rewarded[chosen]


def test_the_same_seed_gives_the_same_rewards_and_playing_becomes_better() -> None:
    environment = table(SLUG)
    policy, rewards = train(environment, GAMES, seed=1)
    assert train(environment, 5, seed=1)[1] == rewards[:5]
    assert train(environment, 5, seed=2)[1] != rewards[:5] or train(environment, 12, seed=2)[1] != rewards[:12]
    assert policy.weights.shape == (FEATURES + 1, FEATURES)
    assert np.mean(rewards[-20:]) > 0.5
    weights = policy.weights.copy()
    assert np.mean(evaluate(environment, policy, 20)) > 0.5
    assert (policy.weights == weights).all()


def test_a_game_of_a_policy_is_proved_like_any_other() -> None:
    environment = table(SLUG, seats=3)
    reward, steps = play(environment, Policy(), 2, 7, np.random.default_rng(1))
    assert -1 <= reward <= 1
    assert steps
    assert audit(environment.record).verdict == "proved"


def test_the_command_prints_how_the_rewards_grow(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hund-und-katz", "--games", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("     1 games, mean reward of the last 1: ")
    assert lines[-1].startswith("100 games without learning: mean reward ")
    with pytest.raises(SystemExit):
        main(["hund-und-katz", "--seats", "77"])
    assert "77" in capsys.readouterr().err
