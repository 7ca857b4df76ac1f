"""A game as a PettingZoo environment with one agent per seat.

An agent sees what its seat may see, and chooses one of the legal moves of its seat by its place in the list. The
commits are those that the service would make, so a finished episode has a record that can be audited.
"""

import copy
import secrets
from collections.abc import Sequence
from typing import Any, Literal, get_args

import msgspec
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space
from msgspec.structs import replace
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from referee.audit.record import Record
from referee.kernel.chance import Seeded
from referee.kernel.judge import families, find_legal, weighed_moves
from referee.kernel.message import Move
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.offline.game import of_players, offline_game
from referee.offline.plan import check_options, find_ruleset
from referee.offline.play import time_of
from referee.table.commits import prepare_move
from referee.table.match import State, first_state
from referee.table.record import Entry
from referee.zoo.features import BOUND, features
from referee.zoo.text import outline

ACTIONS = 512
FEATURES = 1024
ILLEGAL_REWARD = -1.0
RENDER_MODES = ("ansi",)
Rewards = Literal["end", "rank", "score"]

PROBE = {"options": 1}
"""The options with which PettingZoo's own test resets every environment; they are ignored."""


def env(ruleset: str, seats: int, options: dict[str, Any] | None = None, **settings: Any) -> Any:
    """Return an environment in PettingZoo's usual wrappers: an illegal action ends the episode with a reward of -1."""
    raw = Environment(ruleset, seats, options, **settings)
    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


def rewards_of(ranks: Sequence[int]) -> list[float]:
    """Return rewards by seat, evenly from 1 for the best to -1 for the worst; seats of equal rank share theirs."""
    ahead = [sum(other < rank for other in ranks) for rank in ranks]
    level = [ranks.count(rank) - 1 for rank in ranks]
    return [1 - (2 * before + beside) / (len(ranks) - 1) for before, beside in zip(ahead, level, strict=True)]


class Environment(AECEnv[str, dict[str, Any], int]):
    """An environment without wrappers: an illegal action raises ValueError."""

    def __init__(
        self,
        ruleset: str,
        seats: int,
        options: dict[str, Any] | None = None,
        edition: str | None = None,
        actions: int = ACTIONS,
        features: int = FEATURES,
        move_features: int = 0,
        rewards: Rewards = "end",
        commits_max: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"unknown render mode `{render_mode}`; there are: {', '.join(RENDER_MODES)}")
        if rewards not in get_args(Rewards):
            raise ValueError(f"unknown rewards `{rewards}`; there are: {', '.join(get_args(Rewards))}")
        self._rewards_by, self._move_features = rewards, move_features
        self.rules = find_ruleset(ruleset, edition)
        self._options = dict(options or {})
        check_options(self.rules, self._options, seats)
        self._features = features
        self._commits_max = self.rules.commits_max if commits_max is None else commits_max
        self._seed, self._episode = secrets.token_hex(8), 0
        self._is_imagined = False
        self.metadata = {
            "name": f"{ruleset.replace('-', '_')}_v{self.rules.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._observation_space(actions) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}

    def _observation_space(self, actions: int) -> Dict:
        parts: dict[str, Space[Any]] = {
            "observation": Box(-BOUND, BOUND, (self._features,), np.float32),
            "action_mask": Box(0, 1, (actions,), np.int8),
        }
        if self._move_features:
            parts["moves"] = Box(-BOUND, BOUND, (actions, self._move_features), np.float32)
        return Dict(parts)

    def observation_space(self, agent: str) -> Dict:
        """Return the space of observations: features of the view, a mask of the legal actions, features of these."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of actions: places in the list of legal moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. The same seed leads to the same luck; without one, the next game of the last seed starts.

        Options override those of the environment for this game only; options that the title does not have raise
        ValueError.
        """
        chosen = self._options_of(options)
        self._seed, self._episode = (self._seed, self._episode + 1) if seed is None else (str(seed), 0)
        game = offline_game(self.rules, chosen, [""] * len(self.possible_agents), f"{self._seed}-{self._episode}")
        self._game = of_players(game)
        self._state: State = first_state(self._game)
        self._entries: list[Entry] = []
        self._waiting: frozenset[Seat] = frozenset()
        self.infos: dict[str, dict[str, Any]] = {}
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._worth = [0.0] * len(self.agents)
        self._advance()
        self.rewards = dict.fromkeys(self.agents, 0.0)

    def _options_of(self, given: dict[str, Any] | None) -> Any:
        """Return the options of the environment, overridden by these; raises ValueError."""
        overrides = {} if given is None or given == PROBE else given
        options = check_options(self.rules, {**self._options, **overrides}, len(self.possible_agents))
        return msgspec.convert(options, self.rules.options_type)

    def step(self, action: int | None) -> None:
        """Make the move at this place in the list for the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self._moves):
            raise ValueError(f"{agent} has the legal actions 0 to {len(self._moves) - 1}, not {action}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat, move = Seat(self.possible_agents.index(agent)), self._moves[int(action)]
        if move is None:
            self._waiting |= {seat}
        else:
            self._commit(seat, move)
        self._advance()
        self._accumulate_rewards()

    def _commit(self, actor: Actor, move: Move) -> None:
        at = time_of(self._game, self._state, actor, move)
        prepared = prepare_move(self._game, self._state, actor, move, None, at)
        self._entries.append(prepared.entry)
        self._state, self._waiting = prepared.state, frozenset()

    def _advance(self) -> None:
        """Make the referee's moves until a seat has to choose, or the game is over."""
        self._moves: tuple[Move | None, ...] = ()
        while self._state.status == "running" and self._state.version < self._commits_max:
            due = self.rules.due(self._state.position)
            seat = None if due is not None and due.after_ms == 0 else self._next_seat()
            if seat is not None:
                self._select(seat)
                self._reward(is_over=False)
                return
            assert due is not None, "a running game waits for a seat or for the referee"
            self._commit(REFEREE, due.move)
        self._end()

    def _reward(self, is_over: bool) -> None:
        """Reward every agent for what its seat has gained since the last reward."""
        if self._rewards_by == "end" and not is_over:
            return
        places = sorted(self.rules.ranking(self._state.position), key=lambda each: each.seat)
        if self._rewards_by == "score":
            worth = [float(place.score) for place in places]
        else:
            worth = rewards_of([place.rank for place in places])
        gained = (now - before for now, before in zip(worth, self._worth, strict=True))
        self.rewards = dict(zip(self.possible_agents, gained, strict=True))
        self._worth = worth

    def _next_seat(self) -> Seat | None:
        """Return the next seat to choose: first those that may wait, once per position, then those that must move."""
        awaited = self.rules.awaited(self._state.position)
        free = [each.seat for each in awaited if not each.obliged and each.seat not in self._waiting]
        obliged = [each.seat for each in awaited if each.obliged]
        return next(iter([*free, *obliged]), None)

    def _select(self, seat: Seat) -> None:
        position = self._state.position
        is_free = all(not each.obliged for each in self.rules.awaited(position) if each.seat == seat)
        found = find_legal(self.rules, position, seat)
        moves = tuple(weighed.move for weighed in weighed_moves(self.rules, position, seat, found))
        listed: tuple[Move | None, ...] = (None, *moves) if is_free else moves
        self._moves = listed[: self.action_spaces[self.possible_agents[seat]].n]
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = {
            "view": msgspec.json.encode(self.rules.view(position, seat)).decode(),
            "moves": msgspec.to_builtins(self._moves),
            "moves_left_out": len(listed) - len(self._moves),
            "families": msgspec.to_builtins(families(self.rules, position, seat, found.unlisted)),
        }

    def _end(self) -> None:
        """End the episode for all agents; a game that is truncated gives no reward for its end."""
        is_over = self._state.status == "finished"
        self._reward(is_over)
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, not is_over)
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what the seat may see as numbers, and a mask of the legal actions of the selected agent."""
        seat = Seat(self.possible_agents.index(agent))
        view = msgspec.to_builtins(self.rules.view(self._state.position, seat))
        mask = np.zeros(self.action_spaces[agent].n, dtype=np.int8)
        if agent == self.agent_selection:
            mask[: len(self._moves)] = 1
        observed = {"observation": features({"seat": seat, "view": view}, self._features), "action_mask": mask}
        if self._move_features:
            observed["moves"] = self._moves_observed(agent)
        return observed

    def _moves_observed(self, agent: str) -> npt.NDArray[np.float32]:
        """Return the features of each legal move in its row, for the agent that chooses; all others get zeros."""
        found = np.zeros((self.action_spaces[agent].n, self._move_features), dtype=np.float32)
        if agent == self.agent_selection:
            for row, move in enumerate(self._moves):
                found[row] = features(msgspec.to_builtins(move), self._move_features)
        return found

    def resample(self, agent: str, seed: int) -> "Environment":
        """Return a copy at a position that the agent cannot tell from the true one, with other luck to come.

        The same seed gives the same world. The view, the legal moves and the observation of the agent stay as they are.
        The copy can be played to its end, but it has no record.
        """
        seat = Seat(self.possible_agents.index(agent))
        world = copy.copy(self)
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            setattr(world, name, dict(getattr(self, name)))
        world.agents = list(self.agents)
        bots = [""] * len(self.possible_agents)
        other = offline_game(self.rules, self._state.position.options, bots, f"{self._seed}-{self._episode}-{seed}")
        world._game, world._entries = of_players(other), []
        position = self.rules.alike(self._state.position, seat, Seeded(f"{other.id}-{self._state.version}"))
        world._state, world._is_imagined = replace(self._state, position=position), True
        if self._moves:
            world._select(Seat(self.possible_agents.index(self.agent_selection)))
        return world

    def render(self) -> str:
        """Return the view of a spectator as text."""
        return outline(msgspec.to_builtins(self.rules.view(self._state.position, None)))

    @property
    def record(self) -> Record:
        """The record so far, with the secret if the game is over; raises ValueError in a resampled world."""
        if self._is_imagined:
            raise ValueError("a resampled world has no record: its game was never played")
        secret = self._game.secret if self._state.status == "finished" else None
        return Record(self._game.header, tuple(self._entries), secret)
