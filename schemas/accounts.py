"""The answers about players and their keys."""

from msgspec import Struct

from schemas.types import (
    Count,
    KeyId,
    KeyText,
    PlayerId,
    ScopeName,
    Time,
)


class Player(Struct, frozen=True):
    """A player: a person or a program."""

    bot: bool
    """Whether it is a bot account: a program plays under this name."""
    id: PlayerId
    name: str


class Erasure(Struct, frozen=True):
    """What the service did to erase a player."""

    games: Count
    """The games in which the player was replaced by `erased`, or left."""
    resigned: Count
    """The seats from which the player resigned."""


class NewPlayerAnswer(Struct, frozen=True):
    """The player and its first key."""

    player: Player
    key: KeyText
    """The key itself. No other answer shows it."""
    key_id: KeyId


class CurrentKey(Struct, frozen=True):
    """The key of this call."""

    expires_at: Time | None
    """When the key expires; null: never."""
    id: KeyId
    parent: KeyId | None
    """The key that created this one. Revoking it revokes this one, too. Null: this is your first key."""
    scopes: tuple[ScopeName, ...]
    """What the key may be used for."""


class Use(Struct, frozen=True):
    """How much of a quota you use."""

    used: Count
    most: Count | None
    """The quota; null: there is no limit."""


class Uses(Struct, frozen=True):
    """How much of each quota you use."""

    bot_games: Use
    """Those of your open games in which built-in bots have seats."""
    keys: Use
    open_games: Use
    """Games that you created and that wait, run or are paused."""


class Me(Struct, frozen=True):
    """Who you are."""

    player: Player
    key: CurrentKey
    recovered_at: Time | None
    """When an admin last replaced all your keys; null: never."""
    quotas: Uses


class Key(Struct, frozen=True):
    """A key, without the key itself."""

    created_at: Time
    expires_at: Time | None
    """When the key expires; null: never."""
    id: KeyId
    label: str
    """Your note."""
    parent: KeyId | None
    """The key that created this one. Revoking it revokes this one, too. Null: this is your first key."""
    player: PlayerId
    scopes: tuple[ScopeName, ...]
    """What the key may be used for."""


class NewKeyAnswer(Key, frozen=True):
    """The new key."""

    key: KeyText
    """The key itself. No other answer shows it."""


class Keys(Struct, frozen=True):
    """Your keys, oldest first."""

    keys: tuple[Key, ...]
