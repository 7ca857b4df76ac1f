"""Every title as an environment for reinforcement learning, by the interface of PettingZoo (AEC).

PettingZoo is needed here and nowhere else: `pip install pettingzoo`.
"""

from referee.zoo.environment import Environment, env

__all__ = ["Environment", "env"]
