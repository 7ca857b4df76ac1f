"""What players and admins do at a table: concede, pause by consent, come back, take back a move, rule on a game."""

from referee.kernel.canon import canonical, digest
from referee.kernel.message import Move
from referee.kernel.table import Undo
from referee.kernel.table_rules import TableRefusal
from referee.log.log import Once
from referee.service.commits import Made, at_the_table
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.moves import Expected, Outcome, commit_once, once_key, repeat, require_version
from referee.service.problems import Problem, not_started, refused_at_table
from referee.service.state import State
from referee.service.tries import Tries

UNDO_REFUSED = "undo-refused"


def act(
    desk: Desk, game: Game, actor: int | str, move: Move, expected: Expected | None = None, key: str | None = None
) -> Outcome:
    """Make a move at the table of a game; raises a problem."""
    if not game.is_started:
        raise not_started(game.status)
    once = None if key is None else Once(once_key(actor, key), digest(canonical(move)))
    state, tries = desk.newest(game), Tries()
    while True:
        if tries.again():
            state = desk.newest(game)
        try:
            require_version(state, expected)
            made = _made(desk, game, state, actor, move)
        except (TableRefusal, Problem) as refusal:
            if once is not None and (seen := desk.log.repeated(game.id, once.key)):
                return repeat(desk, game, once, seen)
            raise (refused_at_table(refusal) if isinstance(refusal, TableRefusal) else refusal) from None
        outcome = commit_once(desk, game, made, once)
        if outcome is not None:
            desk.nudge(game.id)
            return outcome
        state = desk.known(game)


def _made(desk: Desk, game: Game, state: State, actor: int | str, move: Move) -> Made:
    """The commit of a move at the table. Whether an undo gives anything away takes long to find out."""
    if not isinstance(move, Undo):
        return at_the_table(game, state, actor, move)
    known = desk.final_undos.get((state.hash, actor))
    if known is not None:
        raise TableRefusal(UNDO_REFUSED, known)
    try:
        return desk.aside(lambda: at_the_table(game, state, actor, move))
    except TableRefusal as refusal:
        if refusal.code == UNDO_REFUSED:
            desk.final_undos.put((state.hash, actor), refusal.detail)
        raise
