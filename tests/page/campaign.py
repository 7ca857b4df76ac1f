"""Plays whole games on the boards: `python -m tests.page.campaign`, or `make campaign-page`.

Every title is played to its end against bots with the mouse only, with the keyboard only, and by touch on a phone.
"""

import argparse
import random
import time

from referee.rulesets import LATEST
from tests.page.hands import WAYS, play
from tests.page.moments import MOMENTS
from tests.page.studio import PHONE, Studio, studio


def played(room: Studio, slug: str, way: str) -> str:
    """Play a whole game at the smallest table against bots; returns a line about it."""
    ada = room.service.player("ada")
    bots = [{"bot": "greedy"}] * (LATEST[slug].seats[0] - 1)
    id = ada.started("me", *bots, ruleset=slug)["id"]
    page = room.page_of(ada, **({"viewport": PHONE, "has_touch": True, "is_mobile": True} if way == "touch" else {}))
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"/games/{id}")
    began = time.monotonic()
    moves, most = play(page, WAYS[way], random.Random(f"{slug} {way}"))
    page.context.close()
    assert not faults, faults
    assert ada.game(id)["status"] == "finished"
    return f"{slug:24}{way:10}{moves:6} moves  at most {most:2} clicks  {time.monotonic() - began:6.0f} s"


def main() -> None:
    """Play, and print a line for each game."""
    parser = argparse.ArgumentParser(description="Play whole games on the boards.")
    parser.add_argument("--titles", nargs="*", default=list(MOMENTS), help="slugs; all titles by default")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), help="mouse, keyboard, touch; all by default")
    chosen = parser.parse_args()
    with studio() as room:
        for slug in chosen.titles:
            for way in chosen.ways:
                print(played(room, slug, way), flush=True)


if __name__ == "__main__":
    main()
