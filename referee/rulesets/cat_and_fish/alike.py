"""Another position that a reader cannot tell from the true one: everything hidden from the reader is dealt again."""

from typing import TypeVar

from referee.kernel.chance import Chance
from referee.kernel.changes import put, replace
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.dues import dues_answers
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.flight import flight_answers
from referee.rulesets.cat_and_fish.names import COLOURS
from referee.rulesets.cat_and_fish.position import DuesCall, Flight, Position

T = TypeVar("T")


def alike(position: Position, reader: Seat | None, chance: Chance, edition: Edition) -> Position:
    """Shuffle what lies face down, deal the hands of other seats again, and draw possible answers for them."""
    position = _with_tiles_laid_anew(position, chance)
    position = _with_magic_dealt_again(position, reader, chance)
    position = replace(position, treasure_deck=chance.shuffle("alike_treasure", sorted(position.treasure_deck)))
    return _with_answers_given_anew(position, reader, chance, edition)


def _with_tiles_laid_anew(position: Position, chance: Chance) -> Position:
    board, piles = dict(position.board), position.piles
    for colour in COLOURS:
        face_down = [(hex, tile) for hex, tile in board.items() if tile is not None and COLOUR_AT[hex] == colour]
        pool = sorted((*(tile for _, tile in face_down), *piles.of(colour)))
        tiles = chance.shuffle(f"alike_{colour}", pool)
        board.update((hex, tile) for (hex, _), tile in zip(face_down, tiles, strict=False))
        piles = piles.change(colour, tiles[len(face_down) :])
    return replace(position, board=board, piles=piles)


def _with_magic_dealt_again(position: Position, reader: Seat | None, chance: Chance) -> Position:
    """A blank never stays in a hand (CF-53), so hands are dealt from the other cards."""
    others = [seat for seat in range(len(position.seats)) if seat != reader]
    pool = sorted((*position.magic_deck, *(card for seat in others for card in position.seats[seat].magic)))
    cards = chance.shuffle("alike_magic", [card for card in pool if card != "blank"])
    seats = position.seats
    for seat in others:
        size = len(seats[seat].magic)
        hand, cards = cards[:size], cards[size:]
        seats = put(seats, seat, replace(seats[seat], magic=hand))
    blanks = [card for card in pool if card == "blank"]
    return replace(position, seats=seats, magic_deck=chance.shuffle("alike_magic_deck", [*cards, *blanks]))


def _with_answers_given_anew(position: Position, reader: Seat | None, chance: Chance, edition: Edition) -> Position:
    pending = position.pending

    def any_of(possible: tuple[T, ...]) -> T:
        return possible[chance.number("alike_answer", 0, len(possible) - 1)]

    if isinstance(pending, DuesCall):
        payments = {
            seat: answer if seat == str(reader) else any_of(dues_answers(position.seats[int(seat)], edition))
            for seat, answer in pending.answers.items()
        }
        return replace(position, pending=replace(pending, answers=payments))
    if isinstance(pending, Flight):
        flights = {
            seat: answer if seat == str(reader) else any_of(flight_answers(position, pending.kind, Seat(int(seat))))
            for seat, answer in pending.answers.items()
        }
        return replace(position, pending=replace(pending, answers=flights))
    return position
