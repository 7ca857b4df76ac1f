"""The test vectors, computed by the listing in docs/fairness.md, which imports nothing of this project."""

import ast
import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

import referee
from referee.audit.vectors import written

DOCS = Path(referee.__file__).parent.parent / "docs"
VECTORS = json.loads((DOCS / "vectors.json").read_text(encoding="utf-8"))
(LISTING,) = re.findall(r"^```python\n(.*?)^```$", (DOCS / "fairness.md").read_text(encoding="utf-8"), re.M | re.S)


class Theirs:
    """What the listing defines."""

    def __init__(self) -> None:
        exec(compile(LISTING, "docs/fairness.md", "exec"), self.__dict__)


theirs: Any = Theirs()


def test_the_listing_imports_only_the_standard_library() -> None:
    imports = [node for node in ast.walk(ast.parse(LISTING)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert {name.name for node in imports for name in node.names} == {"base64", "hashlib", "hmac", "json"}


def test_the_vectors_are_up_to_date() -> None:
    assert (DOCS / "vectors.json").read_text(encoding="utf-8") == written()


@pytest.mark.parametrize("vector", VECTORS["canonical"])
def test_canonical_json_and_its_hash(vector: dict[str, Any]) -> None:
    assert theirs.canonical(vector["value"]).decode() == vector["canonical"]
    assert theirs.sha256(vector["value"]) == vector["sha256"]


@pytest.mark.parametrize("vector", VECTORS["secrets"])
def test_commitment_keys_and_salts_follow_from_the_secret(vector: dict[str, Any]) -> None:
    assert theirs.commitment(vector["salt"], vector["seed"]) == vector["commitment"]
    assert {theirs.key(vector["seed"], each["nonces"]).hex() == each["key"] for each in vector["keys"]} == {True}
    assert {theirs.blind(vector["seed"], each["version"]) == each["salt"] for each in vector["salts"]} == {True}


def test_nonces_seals_holders_and_texts_are_hashed() -> None:
    assert [theirs.nonce(each["text"]) for each in VECTORS["nonces"]] == [each["nonce"] for each in VECTORS["nonces"]]
    assert {theirs.seal(each["game"], each["link"]) == each["seal"] for each in VECTORS["seals"]} == {True}
    for each in (*VECTORS["holders"], *VECTORS["texts"]):
        assert theirs.sha256({name: value for name, value in each.items() if name != "hash"}) == each["hash"]


@pytest.mark.parametrize("vector", VECTORS["below"])
def test_integers_follow_from_words(vector: dict[str, Any]) -> None:
    stream = theirs.words(bytes.fromhex(vector["key"]), vector["label"])
    assert [f"{next(stream):016x}" for _ in vector["words"]] == vector["words"]
    stream = theirs.words(bytes.fromhex(vector["key"]), vector["label"])
    assert [str(theirs.below(stream, int(vector["bound"]))) for _ in vector["integers"]] == vector["integers"]


def test_some_vectors_reject_biased_words() -> None:
    def naive(vector: dict[str, Any]) -> list[str]:
        return [str(int(word, 16) % int(vector["bound"])) for word in vector["words"]]

    biased = {vector["bound"] for vector in VECTORS["below"] if naive(vector) != vector["integers"]}
    assert biased == {str((1 << 63) + 1)}


@pytest.mark.parametrize("vector", VECTORS["drawings"])
def test_outcomes_follow_from_the_key_the_number_of_draws_and_the_point(vector: dict[str, Any]) -> None:
    for number, drawing in enumerate(vector["drawings"], vector["before"]):
        stream = theirs.words(bytes.fromhex(vector["key"]), f"{number}:{drawing['point']}")
        assert _drawn(stream, drawing) == drawing["outcome"]
    points = {drawing["point"] for drawing in vector["drawings"]}
    assert points == {"shuffle_deck", "reveal", "first_seat", "roll_dice"}


@pytest.mark.parametrize("vector", VECTORS["bots"])
def test_the_luck_of_a_bot_is_one_stream_of_words(vector: dict[str, Any]) -> None:
    stream = theirs.bots_words(bytes.fromhex(vector["key"]), vector["luck"])
    assert [theirs.below(stream, bound) for bound in vector["bounds"]] == vector["integers"]


def _drawn(stream: Any, drawing: dict[str, Any]) -> Any:
    match drawing:
        case {"shuffle": items}:
            return theirs.pick(stream, items, len(items))
        case {"pick": items, "count": count}:
            return theirs.pick(stream, items, count)
        case {"number": [low, high]}:
            return theirs.number(stream, low, high)
    return theirs.dice(stream, drawing["dice"], drawing["sides"])


def test_a_game_follows_from_its_header_and_its_secret() -> None:
    game = VECTORS["game"]
    seed, header = game["secret"]["seed"], game["header"]
    commits = [each["commit"] for each in game["commits"]]
    hashes = [each["hash"] for each in game["commits"]]
    assert theirs.canonical(header).decode() == game["canonical"]
    assert theirs.sha256(header) == game["header_hash"]
    assert theirs.commitment(**game["secret"]) == header["commitment"]
    assert [theirs.canonical(commit).decode() for commit in commits] == [each["canonical"] for each in game["commits"]]
    assert theirs.is_whole(header, commits, hashes)
    assert not theirs.is_whole(header, commits[::-1], hashes)
    assert [theirs.blind(seed, commit["version"]) for commit in commits] == [commit["salt"] for commit in commits]
    assert theirs.are_open(header)
    assert not theirs.are_open({**header, "nonces": header["nonces"][::-1]})
    assert [theirs.is_held_by(header, holder) for holder in game["holders"]] == [True, True]
    assert not theirs.is_held_by(header, {**game["holders"][0], "seat": 2})
    assert commits[2]["move"]["reason"] == theirs.sha256(game["texts"][0])
    key = theirs.key(seed, header["nonces"])
    dealt, rolled = commits[0]["events"][0], commits[1]["events"][0]
    assert [commit["draws"] for commit in commits] == [2, 1, 0]
    assert dealt["deck"] == theirs.pick(theirs.words(key, "0:shuffle_deck"), range(1, 13), 12)
    assert dealt["first"] == theirs.number(theirs.words(key, "1:first_seat"), 0, 2)
    assert rolled["dice"] == theirs.dice(theirs.words(key, "2:roll_dice"), 2, 6)


def test_leaves_of_games_and_keys_are_spelled_and_hashed() -> None:
    header, game = VECTORS["game"]["header"], VECTORS["game"]
    hashes = [each["hash"] for each in game["commits"]]
    expected = [
        ("created", 0, header["commitment"]),
        ("sealed", 0, theirs.sealed(header)),
        *(("head", version, hash) for version, hash in enumerate(hashes[:-1], 1)),
        ("annulled", 3, hashes[-1]),
    ]
    entries = [theirs.leaf("game", header["game"], *each).decode() for each in expected]
    assert entries == [each["entry"] for each in VECTORS["leaves"]]
    assert [theirs.leaf_hash(entry.encode()).hex() for entry in entries] == [
        each["leaf_hash"] for each in VECTORS["leaves"]
    ]
    for each in VECTORS["notices"]:
        notice = json.loads(each["notice"])
        assert theirs.canonical(notice).decode() == each["notice"]
        assert theirs.sha256(notice) == each["hash"]
        assert theirs.notice_leaf(notice).decode() == each["entry"]
        assert notice["key"] == VECTORS["signers"][1]["key"]


def test_the_lines_of_the_record_lead_to_the_signed_checkpoint() -> None:
    key = VECTORS["signers"][0]["key"]
    assert [line["entry"] for line in VECTORS["logged"]] == [each["entry"] for each in VECTORS["leaves"]]
    for line in VECTORS["logged"]:
        assert theirs.is_logged(line)
        assert not theirs.is_logged({**line, "entry": line["entry"].replace("1", "2")})
        assert not theirs.is_logged({**line, "index": line["index"] + 1})
        assert is_signature(*theirs.signed(line["checkpoint"], key))
        assert theirs.checkpoint(line["checkpoint"])[:2] == ("referee.example/log", 8)


def test_receipts_are_signed_and_name_the_body() -> None:
    for each in VECTORS["receipts"]:
        public, text, signature = theirs.signed(each["note"], VECTORS["signers"][1]["key"])
        assert is_signature(public, text, signature)
        assert not is_signature(public, text.replace(b"g_example", b"g_exemple"), signature)
        assert theirs.receipt(each["note"]) == each["receipt"]
        assert text == b"referee/receipt/1\n" + theirs.canonical(each["receipt"]) + b"\n"
        if "body" in each:
            assert hashlib.sha256(each["body"].encode()).hexdigest() == each["receipt"]["body"]


@pytest.mark.parametrize("signer", VECTORS["signers"])
def test_a_key_follows_from_its_seed(signer: dict[str, str]) -> None:
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(signer["seed"]))
    name, id, key = signer["key"].split("+", 2)
    assert (name, id) == (signer["name"], theirs.key_id(signer["key"]).hex())
    assert base64.b64decode(key) == b"\x01" + private.public_key().public_bytes_raw()


def is_signature(public: bytes, text: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except InvalidSignature:
        return False
    return True
