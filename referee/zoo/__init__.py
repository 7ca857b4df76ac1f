"""Every title as an environment for reinforcement learning, with the AEC interface of PettingZoo.

Only this package needs PettingZoo: `pip install pettingzoo`.
"""

from referee.zoo.environment import Environment, env

__all__ = ["Environment", "env"]
