"""The one script of the page does what its modules do, with fewer spaces."""

import json
from pathlib import Path

import pytest

from referee.api.bundle import bundle, shorten, thin
from referee.api.pages import without_comments
from tests.generators.tools import NODE
from tests.page.modules import HERE, PAGE, run_node

TYPESCRIPT = NODE / "types" / "node_modules" / "typescript"


def module(name: str) -> str:
    return without_comments((PAGE / f"{name}.js").read_bytes()).decode()


def tokens(directory: Path, *scripts: str) -> list[list[str]]:
    """The tokens of each script, as TypeScript reads them."""
    files = [directory / f"{at}.js" for at in range(len(scripts))]
    for file, script in zip(files, scripts, strict=True):
        file.write_text(script, encoding="utf-8")
    found: list[list[str]] = json.loads(run_node(HERE / "tokens.cjs", TYPESCRIPT, *files))
    return found


def test_a_script_without_its_spaces_has_the_same_tokens(tmp_path: Path) -> None:
    script = bundle("main", module, ("dom", "kit"))
    before, after = tokens(tmp_path, script, thin(script))
    assert len(before) > 10_000
    assert before == after
    assert len(thin(script)) < len(script)


def test_only_names_of_the_scripts_own_are_shortened_each_to_one_of_its_own(tmp_path: Path) -> None:
    script = thin(bundle("main", module, ("dom", "kit")))
    before, after = tokens(tmp_path, script, shorten(script))
    assert len(before) == len(after)
    changed = {(was, now) for was, now in zip(before, after, strict=True) if was != now}
    assert len(changed) > 100
    assert len({was for was, _ in changed}) == len({now for _, now in changed}) == len(changed)
    renamed, known = dict(changed), set(before)
    assert not known & set(renamed.values())
    for at, token in enumerate(before):
        if token in renamed:
            assert token.isidentifier()
            assert before[at - 1] not in (".", "?.")
            assert before[at + 1] != ":" or before[at - 1] == "?", token


@pytest.mark.parametrize(
    "script",
    [
        'say( "a , b" , `c ( ${ d } )` );',
        "const found = / [ , ] = ( /.exec( text ) ;",
        "const half = whole / 2 , other = ( a ) / b ;",
        "const text = `a ${ b ? ` ( ${ c } )` : d }` ;",
        "if ( a && /[/ , ]/.test( b ) ) return { a : [ 1 , 2 ] } ;",
    ],
)
def test_what_stands_in_quotes_and_patterns_keeps_its_spaces(tmp_path: Path, script: str) -> None:
    before, after = tokens(tmp_path, script, thin(script))
    assert before == after
