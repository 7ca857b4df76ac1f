"""What players and admins do at a table: concede, pause by consent, come back, take back a move, rule on a game."""

from referee.kernel.canon import canonical, digest
from referee.kernel.message import Move
from referee.kernel.table_rules import TableRefusal
from referee.log.log import Once
from referee.service.commits import at_the_table
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.moves import TRIES_MAX, Expected, Outcome, commit_once, once_key, repeat, require_version
from referee.service.problems import Problem, not_started, refused_at_table


def act(
    desk: Desk, game: Game, actor: int | str, move: Move, expected: Expected | None = None, key: str | None = None
) -> Outcome:
    """Make a move at the table of a game; raises a problem."""
    if not game.is_started:
        raise not_started(game.status)
    once = None if key is None else Once(once_key(actor, key), digest(canonical(move)))
    state = desk.newest(game)
    for _ in range(TRIES_MAX):
        try:
            require_version(state, expected)
            made = at_the_table(game, state, actor, move)
        except (TableRefusal, Problem) as refusal:
            if once is not None and (seen := desk.log.repeated(game.id, once.key)):
                return repeat(desk, game, once, seen)
            raise (refused_at_table(refusal) if isinstance(refusal, TableRefusal) else refusal) from None
        outcome = commit_once(desk, game, made, once)
        if outcome is not None:
            desk.nudge(game.id)
            return outcome
        state = desk.known(game)
    raise Problem(503, "too-busy", "Too many moves at once; try again.", retry_after=1)
