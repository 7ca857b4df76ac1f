"""The names of the box: what moves, events and positions call its things."""

from typing import Literal

Fish = Literal["carp", "pike", "eel"]
"""A fish card, named by its species."""
