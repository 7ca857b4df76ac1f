"""The one script of the page does what its modules do, with fewer bytes."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.api.bundle import alone, imports, in_order
from referee.api.flat import OF_BROWSERS, one_script, shortened, side_by_side
from referee.api.pages import without_comments
from referee.api.tokens import joined, tokens
from tests.generators.tools import NODE
from tests.page.modules import HERE, PAGE, run_node

TYPESCRIPT = NODE / "types" / "node_modules" / "typescript"
MANY = 5_000


def module(name: str) -> str:
    return without_comments((PAGE / f"{name}.js").read_bytes()).decode()


def read_by(program: str, directory: Path, *scripts: str) -> list[list[str | int]]:
    """What TypeScript finds in each script."""
    files = [directory / f"{at}.js" for at in range(len(scripts))]
    for file, script in zip(files, scripts, strict=True):
        file.write_text(script, encoding="utf-8")
    found: list[list[str | int]] = json.loads(run_node(HERE / program, TYPESCRIPT, *files))
    return found


def test_a_module_without_its_spaces_has_the_same_tokens(tmp_path: Path) -> None:
    modules = [alone(name, module(name)) for name in in_order("main", module)]
    found = read_by("tokens.cjs", tmp_path, *modules, *(joined(tokens(each)) for each in modules))
    assert sum(map(len, found)) > MANY
    assert found[: len(modules)] == found[len(modules) :]


class Named(NamedTuple):
    """What TypeScript finds in the modules apart, in all of them together, and in the script with short names."""

    modules: dict[str, str]
    apart: list[list[str | int]]
    together: list[str | int]
    short: list[str | int]
    lengths: tuple[int, int]
    """Of the script with long and with short names."""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Named:
    """All of it, from one run of node."""
    modules = {name: module(name) for name in in_order("main", module)}
    script = side_by_side("main", module)
    texts = [*(alone(name, text) for name, text in modules.items()), joined(script), shortened(script, {})]
    *apart, together, short = read_by("names.cjs", Path(tmp_path_factory.mktemp("names")), *texts)
    return Named(modules, apart, together, short, (len(texts[-2]), len(texts[-1])))


def test_modules_side_by_side_take_from_browsers_what_they_took_alone_and_nothing_from_each_other(
    named: Named,
) -> None:
    taken: set[str] = set()
    for text, names in zip(named.modules.values(), named.apart, strict=True):
        taken |= globals_of(names) - {each.local for each in imports(text)}
    assert taken == globals_of(named.together) == OF_BROWSERS


def globals_of(names: list[str | int]) -> set[str]:
    return {name.removeprefix("global ") for name in names if isinstance(name, str) and name.startswith("global ")}


def test_a_short_name_stands_for_what_the_long_one_stood_for(named: Named) -> None:
    long, short = named.lengths
    assert len(named.together) > MANY
    assert named.together == named.short
    assert short < 0.8 * long


def test_what_boards_import_is_exported_under_its_own_name() -> None:
    script = one_script("main", module, ("dom", "kit"))
    exported = script[script.rindex("export{") :]
    assert {"h", "render", "thing", "count", "seatMark"} <= {
        each.split(" as ")[1] for each in exported[7:-2].split(",")
    }


@pytest.mark.parametrize(
    "script",
    [
        'say( "a , b" , `c ( ${ d } )` );',
        "const found = / [ , ] = ( /.exec( text ) ;",
        "const half = whole / 2 , other = ( a ) / b ;",
        "const text = `a ${ b ? ` ( ${ { c } } )` : d } \\` e` ;",
        "if ( a && /[/ , ]/.test( b ) ) return { a : [ 1 , 2 ] } ;",
        "const sum = a + +b - -c + ++d; // the end",
        "class A extends B { get c() { return /=/.test(this.#d) ? { class: 1 } : 0.5; } }",
    ],
)
def test_what_stands_in_quotes_and_patterns_keeps_its_spaces(tmp_path: Path, script: str) -> None:
    before, after = read_by("tokens.cjs", tmp_path, script, joined(tokens(script)))
    assert before == after
    assert len(joined(tokens(script))) < len(script)


@pytest.mark.parametrize(
    "script",
    [
        "const a = { two, three: four, five() { six(); } }, five = 1; const { two, three: four = five, ...six } = 1;",
        "const one = (two, { three, four = 1 }) => ({ ...two, [three]: four }); function four({ one: [two] }) {}",
        "class One { two = 1; static three() { return new One().two; } get four() { return this.three; } }",
        "for (const { one } of two) { const of = one; one.two = `${{ one }.one} ${of}`; }; const two = [];",
        "const get = 1, set = async (get) => set(get), async = { get, set, async get() { return get; } };",
    ],
)
def test_fields_keep_their_names_when_variables_of_that_name_are_shortened(tmp_path: Path, script: str) -> None:
    long, short = read_by("names.cjs", tmp_path, script, shortened(tokens(script), {}))
    assert long == short
    assert len(shortened(tokens(script), {})) < len(script)
