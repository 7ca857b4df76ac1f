"""What bots know about playing Wie Hund und Katz!; no rule asks for it."""

from typing import Final

from referee.kernel.advice import Advice
from referee.rulesets.hund_und_katz.advice.evaluation import evaluate
from referee.rulesets.hund_und_katz.advice.greedy import choose

ADVICE: Final = Advice(choose=choose, evaluate=evaluate, depth=3)
