"""A baseline that learns: a linear softmax policy, trained by REINFORCE against seats that play at random.

A move is scored by its own features and those of the view: `view @ weights @ move`. After each game, the weights move
towards the moves that were made if the reward was better than usual, and away from them if it was worse. Nothing in it
knows a title.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.rulesets import LATEST
from referee.zoo.environment import Environment

Numbers = npt.NDArray[np.float64]

FEATURES = 64
"""The number of features of a view, and of a move."""
ACTIONS = 128
RATE = 0.03
"""How far one game moves the weights."""
MEMORY = 0.05
"""The weight of the newest reward in the mean reward that counts as usual."""


class Step(NamedTuple):
    """A decision: the features of the view, and how those of the move made differ from what was to be expected."""

    view: Numbers
    surprise: Numbers


class Policy:
    """Chooses moves at random, better ones more often."""

    def __init__(self, weights: Numbers | None = None) -> None:
        self.weights = np.zeros((FEATURES + 1, FEATURES)) if weights is None else weights

    def choose(self, observation: dict[str, Numbers], random: np.random.Generator) -> tuple[int, Step]:
        """Return the number of a legal move, and what can be learned from having made it."""
        count = int(observation["action_mask"].sum())
        view = np.append(_unit(observation["observation"]), 1.0)
        moves = _unit(observation["moves"][:count])
        scores = moves @ (view @ self.weights)
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        chosen = int(random.choice(count, p=chances))
        return chosen, Step(view, moves[chosen] - chances @ moves)

    def learn(self, steps: Sequence[Step], advantage: float, rate: float = RATE) -> None:
        """Make the moves of a game more likely, or less so if the advantage is negative."""
        for step in steps:
            self.weights += rate * advantage * np.outer(step.view, step.surprise)


def _unit(values: npt.ArrayLike) -> Numbers:
    """Return vectors of length 1."""
    given: Numbers = np.asarray(values, dtype=np.float64)
    lengths: Numbers = np.linalg.norm(given, axis=-1, keepdims=True)
    return np.divide(given, np.maximum(1e-9, lengths))


def table(ruleset: str, seats: int = 2) -> Environment:
    """Return an environment with the features that the policy needs."""
    return Environment(ruleset, seats, features=FEATURES, move_features=FEATURES, actions=ACTIONS)


def play(
    environment: Environment, policy: Policy, seat: int, seed: int, random: np.random.Generator
) -> tuple[float, list[Step]]:
    """Play a game with the policy in one seat and random moves in all others; returns its reward and its decisions."""
    environment.reset(seed=seed)
    own, steps = environment.possible_agents[seat], []
    while not (environment.terminations[own] or environment.truncations[own]):
        agent = environment.agent_selection
        moves = len(environment.infos[agent]["moves"])
        if agent == own and moves > 1:
            action, step = policy.choose(environment.observe(agent), random)
            steps.append(step)
        else:
            action = int(random.integers(moves))
        environment.step(action)
    return environment.rewards[own], steps


def train(
    environment: Environment,
    games: int,
    seed: int = 1,
    progress: Callable[[int, float], None] = lambda game, reward: None,
) -> tuple[Policy, list[float]]:
    """Learn from this number of games, in every seat in turn; returns the policy and the reward of each game."""
    policy, random, usual, rewards = Policy(), np.random.default_rng(seed), 0.0, []
    for game in range(games):
        reward, steps = play(environment, policy, game % environment.max_num_agents, seed * 1_000_000 + game, random)
        policy.learn(steps, reward - usual)
        usual += MEMORY * (reward - usual)
        rewards.append(reward)
        progress(game + 1, reward)
    return policy, rewards


def evaluate(environment: Environment, policy: Policy, games: int, seed: int = 2) -> list[float]:
    """Return the rewards of a policy in games from which it does not learn."""
    random, seats = np.random.default_rng(seed), environment.max_num_agents
    return [play(environment, policy, game % seats, seed * 1_000_000 + game, random)[0] for game in range(games)]


def main(arguments: Sequence[str]) -> int:
    """Train on a title and print how the rewards grow."""
    parser = argparse.ArgumentParser(prog="python -m referee.zoo.learning", description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset", choices=list(LATEST), help="the title")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=300, help="the number of games to learn from; default: 300")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    try:
        environment = table(options.ruleset, options.seats)
    except ValueError as error:
        parser.error(str(error))
    every = max(1, options.games // 10)
    recent: list[float] = []

    def show(game: int, reward: float) -> None:
        recent.append(reward)
        if game % every == 0:
            print(f"{game:>6} games, mean reward of the last {every}: {np.mean(recent[-every:]):+.2f}", flush=True)

    policy, _ = train(environment, options.games, options.seed, show)
    rewards = evaluate(environment, policy, 100)
    print(f"100 games without learning: mean reward {np.mean(rewards):+.2f}, {sum(each == 1 for each in rewards)} won")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
