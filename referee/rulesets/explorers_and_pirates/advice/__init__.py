"""Advice for bots that play Explorers & Pirates; no rule uses it."""

from typing import Final

from referee.kernel.advice import Advice
from referee.rulesets.explorers_and_pirates.advice.evaluation import evaluate
from referee.rulesets.explorers_and_pirates.advice.greedy import choose, waits

ADVICE: Final = Advice(choose=choose, waits=waits, evaluate=evaluate, depth=1, probe_depth=0)
