"""What bots know about playing Cat & Fish; no rule asks for it."""

from typing import Final

from referee.kernel.advice import Advice
from referee.rulesets.cat_and_fish.advice.evaluation import evaluate, is_checkpoint
from referee.rulesets.cat_and_fish.advice.greedy import choose

ADVICE: Final = Advice(choose=choose, evaluate=evaluate, is_checkpoint=is_checkpoint, depth=1)
