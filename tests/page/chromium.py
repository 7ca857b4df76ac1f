"""Finds a Chromium, or unpacks the one that `make test` installs."""

import io
import os
import shutil
import sys
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import brotli

PACKAGE = Path(sys.prefix) / "node" / "browser" / "node_modules" / "@sparticuz" / "chromium" / "bin"
UNPACKED = Path(sys.prefix) / "node" / "browser" / "unpacked"
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{0}/fonts</dir><cachedir>{0}/font-cache</cachedir></fontconfig>
"""


@dataclass(frozen=True)
class Chromium:
    """A browser, and the environment that it needs."""

    path: str
    environment: dict[str, str] = field(default_factory=dict)
    is_pinned: bool = False


def find_chromium() -> Chromium | None:
    """The browser that CHROMIUM names, else the one in the package, else one on the PATH."""
    if named := os.environ.get("CHROMIUM"):
        return Chromium(named)
    if (PACKAGE / "chromium.br").is_file():
        return _pinned()
    on_path = shutil.which("chromium") or shutil.which("chromium-browser")
    return None if on_path is None else Chromium(on_path)


def _pinned() -> Chromium:
    if not UNPACKED.is_dir():
        _unpack()
    environment = {"LD_LIBRARY_PATH": str(UNPACKED / "lib"), "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf")}
    return Chromium(str(UNPACKED / "chromium"), environment, is_pinned=True)


def _unpack() -> None:
    """Unpack beside its place and move it there whole: two processes may do so at once."""
    directory = Path(tempfile.mkdtemp(dir=UNPACKED.parent))
    executable = directory / "chromium"
    executable.write_bytes(brotli.decompress((PACKAGE / "chromium.br").read_bytes()))
    executable.chmod(0o755)
    for part in ("al2023", "fonts"):
        with tarfile.open(fileobj=io.BytesIO(brotli.decompress((PACKAGE / f"{part}.tar.br").read_bytes()))) as archive:
            archive.extractall(directory, filter="data")
    (directory / "fonts.conf").write_text(FONTS.format(UNPACKED))
    directory.chmod(0o755)
    try:
        directory.rename(UNPACKED)
    except OSError:
        shutil.rmtree(directory)
