"""What replicas have confirmed, so that nothing is shown that a failover could take back."""

from collections import OrderedDict
from collections.abc import Hashable

from referee.store.connections import Store

REMEMBERED = 10_000


class Confirmed:
    """Remembers which versions of what replicas have, and has newer ones confirmed before they are shown.

    Replicas have everything before what they have: a new write on the same server that they confirm proves the rest.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._versions: OrderedDict[str, tuple[int, Hashable]] = OrderedDict()

    def require(self, name: str, version: int, tag: str) -> None:
        """Make sure that replicas have a version of something that is stored with a hash tag; raises Unconfirmed."""
        if not self._store.replicas:
            return
        epoch = self._store.epoch(tag)
        known = self._versions.get(name)
        if known is None or known[1] != epoch or known[0] < version:
            self._store.write("SET", f"confirm:{tag}", 1)
            self._remember(name, version, epoch)

    def note(self, name: str, version: int, tag: str) -> None:
        """Note a version that replicas have confirmed when it was written."""
        if self._store.replicas:
            self._remember(name, version, self._store.epoch(tag))

    def _remember(self, name: str, version: int, epoch: Hashable) -> None:
        self._versions[name] = version, epoch
        self._versions.move_to_end(name)
        if len(self._versions) > REMEMBERED:
            self._versions.popitem(last=False)
