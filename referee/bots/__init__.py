"""The built-in bots, which hold seats as players do."""

from referee.bots.bot import Bot
from referee.bots.greedy_bot import GreedyBot
from referee.bots.random_bot import RandomBot
from referee.bots.search_bot import SearchBot

BOTS: dict[str, Bot] = {bot.name: bot for bot in (RandomBot(), GreedyBot(), SearchBot())}
