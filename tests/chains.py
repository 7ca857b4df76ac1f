"""Chains of links, as players make them where luck is fresh."""

from referee.kernel.canon import canonical, digest


def links_of(game: str, last: str, length: int = 64) -> list[str]:
    """The links of a chain, 0 first: each is the hash of the next. Written from docs/fairness.md."""
    links = [last]
    while len(links) < length:
        links.append(digest(canonical({"game": game, "link": links[-1]})))
    return links[::-1]
