"""The layers and habits of the project, checked in its source."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from referee.rulesets import RULESETS
from tests.subjects import ROOT

ROOTS = ("referee", "schemas", "workers", "client")
MODULE_LINES_MAX = 300
FUNCTION_LINES_MAX = 40

PARTS = (
    "kernel",
    "table",
    "rulesets",
    "store",
    "tlog",
    "witness",
    "service",
    "schemas",
    "audit",
    "bots",
    "offline",
    "zoo",
    "api",
    "web",
    "workers",
    "client",
    "terminal",
)
WEB = {"flask", "werkzeug"}
QUEUES = {"redis", "rq"}
LEARNING = {"pettingzoo", "gymnasium", "numpy"}

MAY_IMPORT: dict[str, set[str]] = {
    "kernel": set(),
    "table": {"kernel"},
    "rulesets": {"kernel"},
    "store": {"kernel", "table", *QUEUES},
    "tlog": {"kernel", "table", "store", "redis", "cryptography"},
    "witness": {"tlog"},
    "bots": {"kernel", "table", "rulesets"},
    "audit": {"kernel", "table", "rulesets", "bots", "tlog"},
    "service": {"kernel", "table", "rulesets", "store", "tlog", "audit", "bots", "schemas"},
    "offline": {"kernel", "table", "rulesets", "audit", "bots"},
    "zoo": {"kernel", "table", "rulesets", "audit", "offline", *LEARNING},
    "schemas": {"kernel", "table", "rulesets", "audit"},
    "api": {"kernel", "table", "service", "schemas", *WEB},
    "web": {"kernel", "service", "schemas", *WEB},
    "workers": {"service", "tlog", *QUEUES},
    "client": set(),
    "terminal": {"kernel", "table", "rulesets", "audit", "offline", "client"},
}
"""For each part, the other parts and the I/O libraries that it may import."""

PURE = ("kernel", "table", "rulesets")
PACKAGED = (*PURE, "audit", "bots", "offline", "zoo")
"""The parts that the package `referee` contains: they need no service, no Redis and no Flask."""
PACKAGED_LOG = {f"referee.tlog.{name}" for name in ("ed25519", "leaf", "merkle", "note", "policy", "receipt", "tiles")}
"""The modules of the transparency log that it contains as well, for the audit."""

PURE_LIBRARIES = {*sys.stdlib_module_names, "msgspec"}
NEVER_PURE = {"random", "time", "uuid", "secrets", "threading", "asyncio", "socket", "subprocess"}
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "os.environ", "os.getenv", "os.urandom"}
KEEP_THE_ORDER = {"list", "tuple", "enumerate", "iter", "next", "zip", "map", "filter", "join", "dict"}
FORGET_THE_ORDER = {"all", "any", "sum", "len", "set", "frozenset", "sorted", "isdisjoint", "issubset", "issuperset"}


def sources() -> list[Path]:
    """Every module of the project that is not a test."""
    return sorted(file for root in ROOTS for file in (ROOT / root).rglob("*.py"))


def scripts() -> list[Path]:
    """Every module and style of the page, and every board."""
    return sorted(file for kind in ("*.js", "*.css", "*.html") for file in (ROOT / "referee").rglob(kind))


SCRIPTS = [pytest.param(file, id=str(file.relative_to(ROOT))) for file in scripts()]
PAGE_SCRIPTS = [each for each in SCRIPTS if each.values[0].suffix == ".js"]
FORBIDDEN_IN_PAGES = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "document.cookie")

every_script = pytest.mark.parametrize("file", SCRIPTS)
every_page_script = pytest.mark.parametrize("file", PAGE_SCRIPTS)

MODULES = [pytest.param(file, id=str(file.relative_to(ROOT))) for file in sources()]
PURE_MODULES = [
    pytest.param(file, id=str(file.relative_to(ROOT))) for file in sources() if file.relative_to(ROOT).parts[1] in PURE
]

every_module = pytest.mark.parametrize("file", MODULES)
every_pure_module = pytest.mark.parametrize("file", PURE_MODULES)


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def part_of(module: str) -> str:
    """The part of the project, or the library, that a module belongs to."""
    steps = module.split(".")
    if steps[0] == "referee":
        return steps[1] if len(steps) > 1 and steps[1] in PARTS else "wiring"
    if "referee_client" in steps[:2]:
        return "terminal" if "terminal" in steps[1:3] else "client"
    return steps[0]


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(file: Path) -> Iterator[str]:
    """The full name of every module that a file imports."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are written out in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@every_module
def test_a_part_imports_only_what_it_may(file: Path) -> None:
    part = part_of(module_name(file))
    if part == "wiring":
        return
    allowed = {part, *MAY_IMPORT[part]}
    restricted = {*PARTS, *WEB, *QUEUES, *LEARNING} | ({"wiring"} if part in PACKAGED else set())
    wrong = sorted(name for name in imported(file) if part_of(name) in restricted - allowed)
    assert not wrong, f"{part} may not import {wrong}"


@every_module
def test_the_package_needs_nothing_but_the_standard_library_and_msgspec(file: Path) -> None:
    """Only the environments for learning agents need more, which an extra of the package installs."""
    part, name = part_of(module_name(file)), module_name(file)
    if part in PACKAGED or name in PACKAGED_LOG:
        libraries = {name.split(".")[0] for name in imported(file)} - {"referee"}
        assert libraries <= PURE_LIBRARIES | (LEARNING if part == "zoo" else set()) | extra_of(name)
        of_the_log = {".".join(name.split(".")[:3]) for name in imported(file) if part_of(name) == "tlog"}
        assert of_the_log <= PACKAGED_LOG


def extra_of(module: str) -> set[str]:
    """The library that one module loads where something is signed or verified; an extra of the package installs it."""
    return {"cryptography"} if module == "referee.tlog.ed25519" else set()


@every_pure_module
def test_the_rules_need_nothing_but_the_standard_library_and_msgspec(file: Path) -> None:
    libraries = {name.split(".")[0] for name in imported(file)} - {"referee"}
    assert libraries <= PURE_LIBRARIES
    assert not libraries & NEVER_PURE


@every_pure_module
def test_a_ruleset_imports_no_sibling(file: Path) -> None:
    own = file.relative_to(ROOT).parts
    if own[1] == "rulesets" and len(own) > 3:
        siblings = [name for name in imported(file) if name.startswith("referee.rulesets.")]
        assert all(name.split(".")[2] == own[2] for name in siblings)


@every_pure_module
def test_no_rule_imports_advice(file: Path) -> None:
    own = file.relative_to(ROOT).parts
    if own[1] == "rulesets" and "advice" not in own and own[3:] != ("__init__.py",):
        assert not [name for name in imported(file) if name.split(".")[3:4] == ["advice"]]


@every_pure_module
def test_the_rules_read_no_clock_and_no_environment(file: Path) -> None:
    for node in ast.walk(tree(file)):
        assert not (isinstance(node, ast.Attribute) and ast.unparse(node) in CLOCKS), _at(file, node)
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
        assert called not in ("hash", "id", "open", "print", "input"), _at(file, node)


@every_pure_module
def test_the_rules_have_no_floats(file: Path) -> None:
    for node in ast.walk(tree(file)):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), _at(file, node)
        assert not (isinstance(node, ast.Name) and node.id == "float"), _at(file, node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            paths = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            assert paths, f"{_at(file, node)}: a division gives a float"


@every_pure_module
def test_the_rules_iterate_over_no_set(file: Path) -> None:
    """The order of a set differs between processes; `sorted` makes it stable."""
    for scope in ast.walk(tree(file)):
        if not isinstance(scope, (ast.FunctionDef, ast.Module, ast.Lambda)):
            continue
        names, harmless = _names_of_sets(scope), _whose_order_is_forgotten(scope)
        for node in ast.walk(scope):
            for iterated in _iterated(node):
                assert node in harmless or not _is_set(iterated, names), _at(file, iterated)


def _whose_order_is_forgotten(scope: ast.AST) -> set[ast.AST]:
    """The loops whose order does not matter: inside a set, a sum, a sorted list."""
    found: set[ast.AST] = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.SetComp):
            found.update(node.generators)
        elif isinstance(node, ast.Call) and _called(node) in FORGET_THE_ORDER:
            for argument in node.args:
                if isinstance(argument, (ast.GeneratorExp, ast.ListComp)):
                    found.update(argument.generators)
    return found


def _iterated(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter
    elif isinstance(node, ast.Starred):
        yield node.value
    elif isinstance(node, ast.Call) and _called(node) in KEEP_THE_ORDER:
        yield from node.args


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _names_of_sets(scope: ast.AST) -> set[str]:
    """Names that hold a set in a function: assigned one, or annotated as one."""
    names: set[str] = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and _is_set(node.value, set()):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _means_set(node.annotation):
            names.add(node.target.id)
        elif isinstance(node, ast.arg) and node.annotation is not None and _means_set(node.annotation):
            names.add(node.arg)
    return names


def _means_set(annotation: ast.expr) -> bool:
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(base, ast.Name) and base.id in ("set", "frozenset", "Set", "AbstractSet")


def _is_set(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, (ast.Set, ast.SetComp)):
        return True
    if isinstance(node, ast.Call):
        return _called(node) in {"set", "frozenset", *functions_that_give_sets()}
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)):
        return _is_set(node.left, names) or _is_set(node.right, names)
    return isinstance(node, ast.Name) and node.id in names


@cache
def functions_that_give_sets() -> frozenset[str]:
    """The functions of kernel, table and rulesets that are annotated as returning a set."""
    functions = [
        node
        for file in sources()
        if file.relative_to(ROOT).parts[1] in PURE
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef) and node.returns is not None
    ]
    others = {function.name for function in functions if not _means_set(function.returns)}
    return frozenset(function.name for function in functions if _means_set(function.returns)) - others


@every_module
def test_a_module_is_short(file: Path) -> None:
    """Tables of data are exempt: the values of a module's constants are not counted."""
    lines = len(file.read_text(encoding="utf-8").splitlines())
    tables = sum(
        node.end_lineno - node.lineno for node in tree(file).body if isinstance(node, (ast.Assign, ast.AnnAssign))
    )
    assert lines - tables <= MODULE_LINES_MAX


@every_module
def test_a_function_is_short(file: Path) -> None:
    for node in ast.walk(tree(file)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = node.end_lineno - node.body[0].lineno + 1
            assert lines <= FUNCTION_LINES_MAX, f"{node.name} has {lines} lines"


@every_module
def test_everything_public_has_a_docstring(file: Path) -> None:
    assert not file.read_text(encoding="utf-8").strip() or ast.get_docstring(tree(file)), "the module has none"
    for scope in (tree(file), *(node for node in tree(file).body if isinstance(node, ast.ClassDef))):
        for node in scope.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name[0] != "_":
                assert ast.get_docstring(node), f"{node.name} has none"


@every_module
def test_only_the_list_of_titles_names_a_ruleset(file: Path) -> None:
    own = file.relative_to(ROOT).parts
    text = file.read_text(encoding="utf-8")
    for slug, _ in RULESETS:
        package = slug.replace("-", "_")
        if own[:3] == ("referee", "rulesets", package) or own == ("referee", "rulesets", "__init__.py"):
            continue
        assert slug not in text, f"names {slug}"
        assert package not in text, f"names {package}"


@every_script
def test_no_file_of_the_page_names_a_ruleset(file: Path) -> None:
    if "rulesets" in file.relative_to(ROOT).parts:
        return
    text = file.read_text(encoding="utf-8")
    for slug, _ in RULESETS:
        assert slug not in text, f"names {slug}"
        assert slug.replace("-", "_") not in text, f"names {slug}"


@every_page_script
def test_a_script_makes_no_html_or_code_from_text_and_has_no_cookies(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not [word for word in FORBIDDEN_IN_PAGES if word in text]
    assert not re.search(r"\beval\b|\bstyle=|setAttribute\(\"style\"", text)


@every_page_script
def test_only_one_module_knows_the_storage_of_the_browser(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert file.name == "keep.js" or not re.search(r"localStorage|sessionStorage|indexedDB", text)


@every_page_script
def test_a_script_is_short_and_checked_and_says_what_it_is(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert lines[1].startswith("/** ")
    assert len(lines) <= MODULE_LINES_MAX


@every_page_script
def test_a_board_imports_nothing_but_the_kit(file: Path) -> None:
    if file.name == "board.js":
        assert set(re.findall(r"from \"(.+?)\"", file.read_text(encoding="utf-8"))) <= {"dom", "kit", "pieces"}


@pytest.mark.parametrize("file", [*MODULES, *SCRIPTS])
def test_no_todo_and_no_silenced_check_is_left(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for word in ("TO" + "DO", "FIX" + "ME", "no" + "qa", "type: " + "ignore", "pragma: " + "no cover"):
        assert word not in text


def _at(file: Path, node: ast.AST) -> str:
    return f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}"
