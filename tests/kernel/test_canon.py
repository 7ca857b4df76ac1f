"""Canonical JSON: one encoding for each value."""

from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kernel.canon import canonical, digest
from tests.toy.bidding import CardOffered

names = st.text(st.characters(codec="ascii"), max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        ({"b": 1, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
        ({"10": 1, "9": 2, "A": 3, "a": 4, "": 5}, b'{"":5,"10":1,"9":2,"A":3,"a":4}'),
        ('\u20ac$\u000f\u000aA\'B"\\\\"/', b'"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        ("\b\t\n\f\r\x1f\x7f", b'"\\b\\t\\n\\f\\r\\u001f\x7f"'),
        (-0, b"0"),
        ((), b"[]"),
    ],
)
def test_values_are_encoded_as_the_rfc_requires(value: object, spelling: bytes) -> None:
    assert canonical(value) == spelling


def test_structs_are_encoded_as_objects_with_sorted_fields() -> None:
    assert canonical(CardOffered(seat=1, card="eel")) == b'{"card":"eel","seat":1,"type":"card_offered"}'


@given(values)
def test_decoding_and_encoding_again_gives_the_same_bytes(value: object) -> None:
    assert canonical(msgspec.json.decode(canonical(value))) == canonical(value)


@given(st.dictionaries(names, st.integers(), min_size=2))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def test_the_digest_is_sha_256_in_hexadecimal() -> None:
    assert digest(b"referee") == sha256(b"referee").hexdigest()
