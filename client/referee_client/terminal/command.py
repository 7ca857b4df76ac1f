"""The command `referee`: its entry point. Without the packages of the extra `terminal` it says how to get them."""

import sys

MISSING = """\
referee needs packages that are not installed ({name} is missing). In the project's directory, run:
  pip install . './client[terminal]'"""


def command() -> int:
    """Run the command with the arguments of the process."""
    try:
        from referee_client.terminal.main import main
    except ModuleNotFoundError as error:
        print(MISSING.format(name=error.name), file=sys.stderr)
        return 2
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(command())
