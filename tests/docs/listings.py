"""The listings of docs/contributors.md: the files of the toy, as they look in a package of a new title."""

import ast
import re
from collections.abc import Callable
from functools import partial

from tests.docs.documents import read
from tests.subjects import ROOT

PAGE = ROOT / "docs" / "contributors.md"
TOY = ROOT / "tests" / "toy"
LIST_OF_TITLES = ROOT / "referee" / "rulesets" / "__init__.py"

NEW_WORDS = {"tests.toy": "referee.rulesets.pond", "TOY": "POND", '"toy': '"pond', "Toy": "Pond"}
LANGUAGES = {".py": "python", ".md": "markdown", ".toml": "toml"}

_LISTING = re.compile(r"^<!-- pond/(\S+) -->\n.*?^```\w+\n(.*?)^```$", re.M | re.S)
_REGISTRATION = re.compile(r"^<!-- registration -->\n```python\n(.*?)^```$", re.M | re.S)


def listing(name: str) -> list[str]:
    """A file of the toy with the words of the new title, folded."""
    text = read(TOY / name)
    for word, new in NEW_WORDS.items():
        text = text.replace(word, new)
    lines = text.splitlines()
    head = ["<details>", f"<summary><code>{name}</code>, {len(lines)} lines</summary>", ""]
    return [*head, f"```{LANGUAGES[(TOY / name).suffix]}", *lines, "```", "", "</details>"]


def registration() -> list[str]:
    """The two lines that enter the new title into the list of titles."""
    source = read(LIST_OF_TITLES)
    (titles,) = (each for each in ast.parse(source).body if ast.unparse(each).startswith("TITLES:"))
    entered = ast.unparse(titles).removesuffix(")") + ", POND)"
    return ["```python", "from referee.rulesets.pond import POND", "", entered, "```"]


def listings_written() -> dict[str, Callable[[], list[str]]]:
    """What `make record` writes into the page, by the name of its place."""
    names = sorted(str(file.relative_to(TOY)) for file in TOY.rglob("*") if file.suffix in LANGUAGES)
    return {**{f"pond/{name}": partial(listing, name) for name in names}, "registration": registration}


def listings_read() -> dict[str, str]:
    """The files that the page shows, by name."""
    return dict(_LISTING.findall(read(PAGE)))


def registered(source: str) -> str:
    """The list of titles with the lines of the page: the import first, the other in place of the one there."""
    (lines,) = _REGISTRATION.findall(read(PAGE))
    new_import, _, titles = lines.strip().split("\n")
    return re.sub(r"^TITLES: .*?\)$", titles, source, flags=re.M | re.S).replace("\nfrom ", f"\n{new_import}\nfrom ", 1)
