"""What bots know about playing Fangfrisch well; no rule imports it."""

from typing import Final

from referee.kernel.advice import Advice
from referee.rulesets.fangfrisch.advice.evaluation import evaluate
from referee.rulesets.fangfrisch.advice.greedy import choose, is_worth

ADVICE: Final = Advice(choose=choose, is_worth=is_worth, evaluate=evaluate, depth=3)
