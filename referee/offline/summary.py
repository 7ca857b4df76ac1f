"""The results of a series of games, bot by bot."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from referee.offline.play import Result


@dataclass
class Tally:
    """The results of one bot in all its seats."""

    seats: int = 0
    wins: int = 0
    share: Fraction = Fraction(0)
    """Wins, with a win that several seats share divided among them."""
    rank_sum: int = 0
    score_sum: int = 0


@dataclass
class Summary:
    """The results of a series of games."""

    games: int = 0
    commits: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        """Count another game."""
        self.games += 1
        self.commits += result.commits
        winners = result.ranks.count(1)
        for bot, rank, score in zip(result.bots, result.ranks, result.scores, strict=True):
            tally = self.tallies.setdefault(bot, Tally())
            tally.seats += 1
            tally.rank_sum += rank
            tally.score_sum += score
            if rank == 1:
                tally.wins += 1
                tally.share += Fraction(1, winners)

    def lines(self, seconds: float) -> Iterator[str]:
        """Yield a table of the bots, and the speed."""
        width = max(12, *map(len, self.tallies))
        yield f"{'bot':<{width}} {'seats':>8} {'wins':>8} {'share':>8} {'mean rank':>10} {'mean score':>11}"
        for bot, tally in self.tallies.items():
            yield (
                f"{bot:<{width}} {tally.seats:>8} {tally.wins:>8} {float(tally.share / self.games):>8.1%} "
                f"{tally.rank_sum / tally.seats:>10.2f} {tally.score_sum / tally.seats:>11.2f}"
            )
        speed = f"{self.games / seconds:.1f} games/s" if seconds else ""
        yield f"{self.games} games, {self.commits} commits, {seconds:.1f} s, {speed}"
