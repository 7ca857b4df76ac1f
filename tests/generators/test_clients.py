"""Clients made by the generators that people use: each compiles or imports, and two of them play a whole game."""

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.generators import tools
from tests.generators.game import play
from tests.service import Service
from tests.waiting import eventually

pytestmark = pytest.mark.xdist_group("generators")


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A TypeScript project with the types of openapi-typescript."""
    directory = tmp_path_factory.mktemp("typescript") / "project"
    tools.write_typescript(directory)
    return directory


@pytest.fixture(scope="module")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The package `generated_client`, ready for import; the value is what its generator printed."""
    directory = tmp_path_factory.mktemp("python") / "client"
    printed = tools.write_python_client(directory)
    sys.path.insert(0, str(directory))
    yield printed
    sys.path.remove(str(directory))


def test_the_types_of_openapi_typescript_compile(typescript: Path) -> None:
    tools.compile_typescript(typescript)


def test_a_typescript_client_plays_a_whole_game(typescript: Path, service: Service) -> None:
    printed = tools.run(tools.BIN / "node", typescript / "game.ts", service.url)
    assert re.fullmatch(r"finished at \d+: seat \d rank 1 score -?\d+, seat \d rank [12] score -?\d+\n", printed)


def test_the_typescript_of_the_documentation_compiles_and_plays_a_whole_game(tmp_path: Path, service: Service) -> None:
    directory = tmp_path / "recipe"
    tools.write_recipe(directory)
    tools.compile_typescript(directory)
    assert re.fullmatch(r"finished [12] [12]\n", tools.run(tools.BIN / "node", directory / "play.ts", service.url))
    eventually(lambda: service.open_streams() == 0)


def test_openapi_python_client_leaves_out_json_lines_and_nothing_else(python_client: str) -> None:
    assert re.findall(r"WARNING parsing (\S+ \S+)", python_client) == ["GET /v1/games/{game_id}/record"]
    assert "Unsupported content_type application/jsonl" in python_client


def test_every_module_of_openapi_python_client_can_be_imported(python_client: str) -> None:
    root = Path(str(importlib.import_module("generated_client").__file__)).parent
    modules = [".".join(file.relative_to(root.parent).with_suffix("").parts) for file in root.rglob("*.py")]
    imported = [importlib.import_module(name.removesuffix(".__init__")) for name in modules]
    assert all(isinstance(module, ModuleType) for module in imported)


def test_openapi_python_client_plays_a_whole_game(python_client: str, service: Service) -> None:
    game = play(service.url)
    assert game.status == "finished"
    assert {place.rank for place in game.ranking} <= {1, 2}


def test_the_models_of_datamodel_code_generator_can_be_imported(tmp_path: Path) -> None:
    file = tmp_path / "models.py"
    tools.write_models(file)
    tools.run(sys.executable, "-W", "error", "-c", "import models", cwd=tmp_path)
