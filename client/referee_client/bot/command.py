"""The command `referee-bot`."""

import argparse
import asyncio
import contextlib
import dataclasses
import logging
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from referee_client.bot.config import Config, check, read_config
from referee_client.bot.display import Display
from referee_client.bot.faults import UnusableBot
from referee_client.bot.key_file import open_key
from referee_client.bot.runner import Runner, stop_of

INTERNAL = 1

EPILOG = """\
Examples:

  referee-bot bot.toml
  referee-bot --url http://127.0.0.1:8000 --key-file key --seek RULESET --against random my_bot:choose
  referee-bot --url http://127.0.0.1:8000 --key-file key -- node bot.mjs

Exit status: 0 done or interrupted, 1 a fault of the runner, 2 wrong usage, 3 the service refuses the key, 4 no service
at this address, 5 another runner uses the key file, 6 the bot cannot be loaded."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the arguments."""
    made = argparse.ArgumentParser(
        prog="referee-bot",
        description="Play on a referee service with a bot that only chooses moves.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "bot", nargs="+", help="a configuration (bot.toml), a Python bot (my_bot:choose), or a program with arguments"
    )
    made.add_argument("--url", help="the address of the service")
    made.add_argument("--key-file", help="the file that holds the key; nobody else may read it (chmod 600)")
    made.add_argument(
        "--seek", metavar="RULESET", action="append", help="look for games of this title; may be repeated"
    )
    made.add_argument(
        "--against", metavar="BOT", action="append", help="play against this built-in bot; may be repeated"
    )
    made.add_argument("--at-once", metavar="N", type=int, help="keep this number of games going")
    made.add_argument("--games", metavar="N", type=int, help="end when this number of games is over")
    made.add_argument("--think", metavar="SECONDS", type=float, help="the most time for one move")
    made.add_argument("--traceback", action="store_true", help="show the traceback of a fault")
    return made


def config_of(options: argparse.Namespace) -> Config:
    """Return the configuration that the arguments ask for; raises Usage."""
    first, *more = options.bot
    if first.endswith(".toml") and not more:
        config = read_config(Path(first))
    elif ":" in first and not more:
        config = Config(bot=first)
    else:
        config = Config(program=options.bot)
    seek = {"rulesets": options.seek, "opponents": options.against, "games": options.at_once}
    given = {
        "url": options.url,
        "key_file": options.key_file and str(Path(options.key_file).resolve()),
        "stop_after": options.games,
        "think_s": options.think,
        "seek": dataclasses.replace(config.seek, **{name: value for name, value in seek.items() if value is not None}),
    }
    return check(dataclasses.replace(config, **{name: value for name, value in given.items() if value is not None}))


def main(arguments: Sequence[str], display: Display | None = None) -> int:
    """Run the bot, and return the exit status."""
    options = parser().parse_args(arguments)
    display = display or Display()
    logger = logging.getLogger("referee_client.bot")
    logger.setLevel(logging.INFO)
    logger.addHandler(display)
    try:
        config = config_of(options)
        if config.program and shutil.which(config.program[0], path=_search_path(config)) is None:
            raise UnusableBot(
                f"There is no program {config.program[0]}. Give its path, and make it executable. "
                "A function in Python is written as my_bot:choose."
            )
        key, lock = open_key(config.path(config.key_file))
        try:
            asyncio.run(_run(Runner(config, key, display)))
        finally:
            os.close(lock)
    except (KeyboardInterrupt, asyncio.CancelledError):
        logger.info("interrupted.")
        return 0
    except BaseException as error:
        stop = stop_of(error)
        if stop is None:
            logger.error("A fault of the runner: %r. --traceback shows more.", error, exc_info=options.traceback)
            return INTERNAL
        (logger.info if stop.status == 0 else logger.error)("%s", stop)
        return stop.status
    finally:
        logger.removeHandler(display)
    return 0


def _search_path(config: Config) -> str:
    return f"{config.directory}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


async def _run(runner: Runner) -> None:
    task = asyncio.current_task()
    assert task is not None
    with contextlib.suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await runner.run()


def command() -> int:
    """Run the command with the arguments of the process."""
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(command())
