"""Keys with which others watch a match: the letter w, the number of its room and a long secret."""

from __future__ import annotations

from duelbox.friends.join_code import LETTERS, BadJoinCode, JoinCode, read_join_code

_FOR_WATCHERS = "w"


def watch_key(room: str, secret: str) -> str:
    """The key with which others watch the match in this room; it cannot be mistaken for a join code."""
    return f"{_FOR_WATCHERS}{room}-{secret}"


def read_watch_key(text: str) -> JoinCode:
    """Parse a key for watchers into its room and secret; raises BadJoinCode."""
    typed = text.strip().lower()
    shape = f"A key for watchers looks like {watch_key('7843', LETTERS[6:])}."
    try:
        key = read_join_code(typed.removeprefix(_FOR_WATCHERS))
    except BadJoinCode:
        raise BadJoinCode(shape) from None
    if not typed.startswith(_FOR_WATCHERS):
        raise BadJoinCode(f"That is the code of a player, to be used with duelbox join. {shape}")
    if key.spoken:
        raise BadJoinCode(shape)
    return key
