"""What bots know about playing Cat & Fish; no rule asks for it."""

from functools import partial
from typing import Final

from referee.kernel.advice import Advice, Plan
from referee.rulesets.cat_and_fish.advice.evaluation import evaluate, is_checkpoint
from referee.rulesets.cat_and_fish.advice.greedy import choose, choose_by
from referee.rulesets.cat_and_fish.advice.plans import PLANS, fits

ADVICE: Final = Advice(
    choose=choose,
    plans={name: Plan(choose=partial(choose_by, name), fits=partial(fits, name)) for name in PLANS},
    evaluate=evaluate,
    is_checkpoint=is_checkpoint,
    depth=1,
)
