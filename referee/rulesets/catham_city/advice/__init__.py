"""What bots know about playing Catham City; no rule asks for it."""

from typing import Final

from referee.kernel.advice import Advice
from referee.rulesets.catham_city.advice.evaluation import evaluate
from referee.rulesets.catham_city.advice.greedy import choose

ADVICE: Final = Advice(choose=choose, evaluate=evaluate, depth=5)
