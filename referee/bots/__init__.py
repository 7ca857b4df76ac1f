"""The built-in bots, which hold seats as players do."""

from referee.bots.bot import Bot
from referee.bots.greedy_bot import GreedyBot
from referee.bots.random_bot import RandomBot
from referee.bots.search_bot import SearchBot
from referee.kernel.ruleset import Ruleset

BOTS: dict[str, Bot] = {bot.name: bot for bot in (RandomBot(), GreedyBot(), SearchBot())}


def find_bot(name: str, ruleset: Ruleset) -> Bot | None:
    """Return the bot of this name, or None if no such bot plays the ruleset; `greedy:NAME` is `greedy` with a plan."""
    kind, _, plan = name.partition(":")
    bot = GreedyBot(plan) if kind == GreedyBot.name and plan else BOTS.get(name)
    return bot if bot is not None and bot.plays(ruleset) else None
