"""The linters and generators that people use, run on `openapi.yaml`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from referee.openapi import FILE
from tests.docs.documents import blocks_of, read
from tests.subjects import ROOT

HERE = Path(__file__).parent
BIN = Path(sys.prefix) / "bin"
NODE = Path(sys.prefix) / "node"
JAVA_BIN = Path(sys.prefix) / "openapi-generator" / "bin"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=os.environ | QUIET, capture_output=True, text=True, timeout=300
    )
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed
    return printed


def run_node(tool: str, program: str, *arguments: str | Path, cwd: Path | None = None) -> str:
    """What a program of a node tool prints."""
    assert (NODE / tool).is_dir(), "`make test` installs the node tools"
    return run(BIN / "node", NODE / tool / "node_modules" / ".bin" / program, *arguments, cwd=cwd)


def write_typescript(directory: Path) -> None:
    """Write the types of openapi-typescript, and beside them a program that plays a game."""
    shutil.copytree(HERE / "typescript", directory)
    (directory / "node_modules").symlink_to(NODE / "client" / "node_modules")
    run_node("types", "openapi-typescript", FILE, "--output", directory / "api.ts")


def write_recipe(directory: Path) -> None:
    """Write the TypeScript programs of docs/clients.md, with the types that they import."""
    write_typescript(directory)
    blocks = blocks_of(read(ROOT / "docs" / "clients.md"))
    for block in blocks:
        if block.language == "ts":
            (directory / block.text.splitlines()[0].removeprefix("// ")).write_text(block.text)
    (directory / "api.ts").rename(directory / "api.d.ts")
    (directory / "game.ts").unlink()
    settings = (directory / "tsconfig.json").read_text()
    (directory / "tsconfig.json").write_text(settings.replace('"game.ts"', '"play.ts"'))


def compile_typescript(directory: Path) -> None:
    """Check the types of a TypeScript project."""
    run_node("client", "tsc", "--project", directory)


def write_python_client(directory: Path) -> str:
    """Write the package `generated_client` of openapi-python-client; return what the generator prints."""
    config = HERE / "openapi-python-client.yaml"
    return run(
        *(BIN / "openapi-python-client", "generate", "--path", FILE, "--output-path", directory, "--config", config)
    )


def write_with_openapi_generator(generator: str, directory: Path) -> None:
    """Write a client with openapi-generator; `make clients` installs it."""
    run(
        *(JAVA_BIN / "openapi-generator-cli", "generate", "--input-spec", FILE, "--generator-name", generator),
        *("--output", directory, "--package-name", "generated_client"),
    )


def write_models(file: Path) -> None:
    """Write the models of datamodel-code-generator."""
    run(
        *(BIN / "datamodel-codegen", "--input", FILE, "--input-file-type", "openapi", "--output", file),
        *("--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"),
    )
