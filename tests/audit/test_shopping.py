"""Shopping for luck: an operator who knows the seed sits last, at a plain table and at a sealed one."""

import pytest

from referee.kernel.canon import digest
from referee.kernel.chance import Derived
from referee.table.record import Secret, nonce_of, seal_of

GAMES = 600
NONCES_TRIED = 200


def first_roll(secret: Secret, nonces: tuple[str, str]) -> int:
    (face,) = Derived(secret.chance_key(nonces), 0).dice("roll_dice", 1)
    return face


def secret_of(game: int) -> Secret:
    return Secret(salt=digest(b"salt %d" % game), seed=digest(b"seed %d" % game))


def shopped(secret: Secret, adas: str) -> str:
    """The nonce of an operator who tries some until the first roll is a six, if Ada's nonce is what it believes."""
    tried = (nonce_of(f"try {number}") for number in range(NONCES_TRIED))
    return next(nonce for nonce in tried if first_roll(secret, (adas, nonce)) == 6)


def test_at_a_plain_table_who_sits_last_and_knows_the_seed_always_rolls_a_six() -> None:
    for game in range(GAMES):
        secret, adas = secret_of(game), digest(b"ada %d" % game)
        assert first_roll(secret, (adas, shopped(secret, adas))) == 6


def sealed_roll(game: int) -> int:
    """The first roll at a sealed table: the operator seals before it sees Ada's nonce, so it can only guess."""
    secret, adas = secret_of(game), digest(b"ada %d" % game)
    own = shopped(secret, digest(b"a guess %d" % game))
    seals = seal_of("g_x", adas), seal_of("g_x", own)
    assert seals[0] != seals[1]
    return first_roll(secret, (adas, own))


def test_at_a_sealed_table_the_same_operator_rolls_a_six_as_often_as_anybody() -> None:
    rolls = [sealed_roll(game) for game in range(GAMES)]
    share = rolls.count(6) / GAMES
    assert share == pytest.approx(1 / 6, abs=0.05)
    assert {rolls.count(face) > GAMES / 10 for face in range(1, 7)} == {True}


def test_an_operator_who_drops_starts_until_it_likes_one_leaves_five_annulments_per_wish() -> None:
    """It sees Ada's nonce first, and reveals its own only if the roll is a six: `annul` makes that public."""
    annulments, wishes = 0, 0
    for game in range(GAMES):
        if sealed_roll(game) == 6:
            wishes += 1
        else:
            annulments += 1
    assert annulments / wishes == pytest.approx(5, abs=1.5)
