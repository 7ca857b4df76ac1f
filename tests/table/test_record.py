"""The record of a game: secret, header, commits."""

import msgspec

from referee.kernel.canon import canonical, digest
from referee.kernel.seat import REFEREE
from referee.table.moves import PauseGame
from referee.table.record import Commit, Header, Secret, commit_type, seal
from referee.table.terms import TABLE_VERSION, Terms
from tests.toy import TOY
from tests.toy.bidding import Bid, BidMade
from tests.toy.setup import SetUp

SECRET = Secret(salt="aa" * 32, seed="bb" * 32)


def a_commit(**changes: object) -> Commit:
    plain = {"actor": 1, "at": "2026-01-01T00:00:00.000Z", "cause": None, "prev": "", "salt": "", "version": 7}
    return Commit(**{**plain, "draws": 0, "move": Bid(coins=2), "events": (BidMade(seat=1, coins=2),), **changes})


def test_the_commitment_binds_seed_and_salt() -> None:
    assert SECRET.commitment == digest(canonical({"salt": "aa" * 32, "seed": "bb" * 32}))
    assert Secret(salt="ab" * 32, seed="bb" * 32).commitment != SECRET.commitment
    assert Secret(salt="aa" * 32, seed="ba" * 32).commitment != SECRET.commitment


def test_the_luck_depends_on_every_nonce_and_not_on_the_salt() -> None:
    key = SECRET.chance_key(("", ""))
    assert SECRET.chance_key(("mine", "")) != key
    assert SECRET.chance_key(("", "mine")) != SECRET.chance_key(("mine", ""))
    assert Secret(salt="ab" * 32, seed="bb" * 32).chance_key(("", "")) == key


def test_each_commit_has_its_own_salt() -> None:
    assert len({SECRET.blind(version) for version in range(20)}) == 20
    assert SECRET.blind(1) != Secret(salt="aa" * 32, seed="ba" * 32).blind(1)


def test_the_hash_of_the_header_covers_every_field() -> None:
    terms = Terms(bots=(None,), table=TABLE_VERSION)
    plain = {"commitment": "c", "edition": "e", "game": "g", "ruleset": "toy", "version": "1", "terms": terms}
    header = Header(holders=(None,), nonces=("",), options={}, position=None, seals=(None,), **plain)
    assert header.hash == digest(canonical(header))
    for name in msgspec.structs.asdict(header):
        assert msgspec.structs.replace(header, **{name: "another"}).hash != header.hash


def test_a_seal_covers_every_field_of_a_commit() -> None:
    entry = seal(a_commit())
    assert entry.version == 7
    assert entry.hash == digest(entry.body)
    for name in msgspec.structs.asdict(a_commit()):
        assert seal(msgspec.structs.replace(a_commit(), **{name: "another"})).hash != entry.hash


def test_a_sealed_commit_is_read_back() -> None:
    kind = commit_type(TOY)
    pause = a_commit(actor="admin", move=PauseGame(reason="Tea."), events=())
    for commit in (a_commit(), a_commit(actor=REFEREE, move=SetUp(), events=()), pause):
        assert msgspec.json.decode(seal(commit).body, type=kind) == commit
