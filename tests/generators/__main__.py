"""Writes clients with every generator and checks each: `python -m tests.generators DIRECTORY`."""

import json
import shutil
import sys
from pathlib import Path

from tests.generators import tools

IMPORT_ALL = """
import importlib, pkgutil, generated_client
for module in pkgutil.walk_packages(generated_client.__path__, "generated_client."):
    importlib.import_module(module.name)
"""


def main() -> None:
    """Write all clients again."""
    root = Path(sys.argv[1]).resolve()
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    tools.write_typescript(root / "openapi-typescript")
    tools.compile_typescript(root / "openapi-typescript")
    tools.write_python_client(root / "openapi-python-client")
    tools.run(sys.executable, "-c", IMPORT_ALL, cwd=root / "openapi-python-client")
    tools.write_models(root / "models.py")
    tools.run(sys.executable, "-c", "import models", cwd=root)
    tools.write_with_openapi_generator("python", root / "python")
    tools.run(tools.JAVA_BIN / "python", "-c", IMPORT_ALL, cwd=root / "python")
    typescript_fetch = root / "typescript-fetch"
    tools.write_with_openapi_generator("typescript-fetch", typescript_fetch)
    options = json.loads((tools.HERE / "typescript" / "tsconfig.json").read_text())["compilerOptions"]
    compiled = {**options, "module": "esnext", "moduleResolution": "bundler", "erasableSyntaxOnly": False}
    (typescript_fetch / "tsconfig.json").write_text(json.dumps({"compilerOptions": compiled, "include": ["**/*.ts"]}))
    tools.compile_typescript(typescript_fetch)
    print(*sorted(str(each) for each in root.iterdir()), sep="\n")


if __name__ == "__main__":
    main()
