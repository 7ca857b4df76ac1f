"""`make campaign-hostile`: the long form. Prints its figures; exits with an error if anything fails."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from referee.rulesets import LATEST
from tests.campaigns.hostile.fuzz import Findings, Fuzzer
from tests.campaigns.hostile.siege import Effort, Siege


def main() -> int:
    parser = argparse.ArgumentParser(prog="make campaign-hostile", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5000, help="positions of each title to grow from")
    parser.add_argument("--idle", type=int, default=3000, help="idle event streams")
    parser.add_argument("--slow", type=int, default=600, help="slow connections")
    parser.add_argument("--seed", default=str(random.randrange(10**6)))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    findings = Findings()
    for ruleset in LATEST.values():
        Fuzzer(ruleset, random.Random(f"{given.seed}:{ruleset.slug}"), findings).run(given.rounds)
    print(f"rules: {findings}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        siege = Siege(Path(directory), given.seed, Effort(idle=given.idle, slow=given.slow))
        siege.run()
    print(*siege.figures, sep="\n")
    faults = [*findings.faults, *siege.faults]
    print(*(f"FAULT  {fault}" for fault in faults), f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
