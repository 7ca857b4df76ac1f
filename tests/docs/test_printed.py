"""The comparison of shown and real output can fail."""

import pytest

from tests.docs.documents import blocks_of, steps_of
from tests.docs.printed import misfit, misfit_of_http, misfit_of_output, read_shown

FITTING = [
    ('{"a": 1}', {"a": 1}),
    ('{"a": 1, …}', {"a": 1, "b": 2}),
    ("{…}", {"b": 2}),
    ('{"a": …}', {"a": [1, {"b": 2}]}),
    ('{"id": "g_…"}', {"id": "g_7Hq"}),
    ("[1, …]", [1]),
    ("[1, …, 4]", [1, 2, 3, 4]),
    ("[…, {…}]", [1, {"a": 2}]),
    ('["a: …}"]', ["a: b}"]),
]

MISFITTING = [
    ('{"a": 1}', {"a": 2}, "$.a"),
    ('{"a": 1}', {"a": True}, "$.a"),
    ('{"a": 1}', {"a": 1, "b": 2}, "not shown: b"),
    ('{"a": 1, …}', {"b": 1}, "no 'a'"),
    ('{"id": "g_…"}', {"id": "p_1"}, "$.id"),
    ("[1]", [1, 2], "1 items"),
    ("[1, 2, …]", [1], "2 items and more"),
    ("[1, …]", [2, 3], "$[0]"),
    ("[1, …, 4]", [1, 2, 3], "after the gap"),
    ('{"a": null}', {"a": 0}, "$.a"),
]


@pytest.mark.parametrize(("shown", "real"), FITTING)
def test_an_ellipsis_stands_for_anything(shown: str, real: object) -> None:
    assert misfit(read_shown(shown), real) is None


@pytest.mark.parametrize(("shown", "real", "fault"), MISFITTING)
def test_a_difference_is_found(shown: str, real: object, fault: str) -> None:
    assert fault in (misfit(read_shown(shown), real) or "")


def test_shown_headers_must_have_been_sent() -> None:
    real = 'HTTP/1.1 200 OK\r\nETag: "3.s0"\r\nVary: Accept\r\n\r\n{"a": 1}'
    assert misfit_of_http('HTTP/1.1 200 OK\nETag: "….s0"\n', real) is None
    assert misfit_of_http('HTTP/1.1 200 OK\n\n{"a": 1}', real) is None
    assert "not sent: ETag" in (misfit_of_http('ETag: "4.s0"\n', real) or "")
    assert "$.a" in (misfit_of_http('HTTP/1.1 200 OK\n\n{"a": 2}', real) or "")


def test_text_is_compared_whole() -> None:
    assert misfit_of_output("text", "id: 1\n…\nend", "id: 1\ndata: x\n\nend\n") is None
    assert misfit_of_output("text", "id: 1", "id: 1\nid: 2") is not None


def test_the_block_after_a_command_shows_its_output() -> None:
    text = "```sh\na\n```\nsays\n```json\n{}\n```\n```sh\nb\n```\n```console\nc\n```\n"
    steps = [(run.text, run.line, shown and shown.text) for run, shown in steps_of(blocks_of(text))]
    assert steps == [("a\n", 1, "{}\n"), ("b\n", 8, None)]
