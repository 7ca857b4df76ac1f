"""Measures posted moves over HTTP beside a Flask hello-world and a bare append, all in one run."""

from bench.games import Pair, ScriptedGame, open_repository
from bench.load import Result, request, run
from bench.stack import redis, web

CONNECTIONS = 32


def forever(message: bytes):
    while True:
        yield message


def measure(seconds: float = 5.0, rounds: int = 3) -> dict[str, list[Result]]:
    """Measure hello-world, bare append and moves in turn, in several rounds."""
    found: dict[str, list[Result]] = {"hello": [], "append": [], "move": []}
    with redis() as url:
        repository = open_repository(url)
        pair = Pair(repository)
        count = int(150 * seconds)
        with (
            web(url, "bench.anchors:hello") as hello,
            web(url, "bench.anchors:append") as bare,
            web(url, "wsgi:app") as ours,
        ):
            body = b'{"type":"take_cards","faction":"hacker","count":2}'
            for number in range(rounds):
                games = [ScriptedGame(repository, pair, seed) for seed in range(CONNECTIONS)]
                requests = [game.requests(count) for game in games]
                found["hello"].append(run(hello, [forever(request("GET", "/")) for _ in games], seconds))
                found["append"].append(
                    run(
                        bare,
                        [
                            forever(request("POST", f"/append/{number}-{i}", pair.keys[0], body))
                            for i in range(CONNECTIONS)
                        ],
                        seconds,
                    )
                )
                found["move"].append(run(ours, [iter(each) for each in requests], seconds))
    return found


if __name__ == "__main__":
    results = measure(2.0, 2)
    for name, each in results.items():
        for result in each:
            print(
                name,
                round(result.per_second),
                "p50",
                round(result.percentile(0.5), 2),
                "p99",
                round(result.percentile(0.99), 2),
                result.statuses,
                result.requests,
            )
