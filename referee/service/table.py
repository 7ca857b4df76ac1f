"""What players and admins do at a table: concede, pause by consent, come back, take back a move, rule on a game."""

from referee.kernel.message import Move
from referee.kernel.table_rules import TableRefusal
from referee.log.log import Behind
from referee.service.commits import append, at_the_table
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.moves import TRIES_MAX, Outcome
from referee.service.problems import Problem, not_started, refused_at_table


def act(desk: Desk, game: Game, actor: int | str, move: Move) -> Outcome:
    """Make a move at the table of a game; raises a problem."""
    if not game.is_started:
        raise not_started(game.status)
    state = desk.newest(game)
    for _ in range(TRIES_MAX):
        try:
            made = at_the_table(game, state, actor, move)
        except TableRefusal as refusal:
            raise refused_at_table(refusal) from None
        if not isinstance(append(desk, game, made), Behind):
            desk.nudge(game.id)
            return Outcome(made.commit, made.state, made.awaits)
        state = desk.known(game)
    raise Problem(503, "too-busy", "Too many moves at once; try again.", retry_after=1)
