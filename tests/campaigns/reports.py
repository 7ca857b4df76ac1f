"""Where a campaign writes, and how it reports what it found."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def new_directory(campaign: str, seed: str) -> Path:
    """The directory of a campaign, with everything that it writes."""
    directory = Path("var") / "campaigns" / f"{campaign}-{seed}"
    directory.mkdir(parents=True)
    print(f"seed {seed}; everything is written to {directory}", flush=True)
    return directory.resolve()


def tell(figures: Mapping[str, object], faults: Sequence[str] = ()) -> int:
    """Print what a campaign found; returns the exit status."""
    width = max(map(len, figures))
    for name, figure in figures.items():
        print(f"{name:>{width}}  {figure}")
    print(*(f"FAULT  {fault}" for fault in faults), f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0
