"""Repeats submits, and says what became of one that fails."""

from __future__ import annotations

from typing import Callable, List, TypeVar

from .errors import EbbError, Refused, Unreachable
from .http import repeated

T = TypeVar("T")


def submitted(once: Callable[[], T], patience: float, key: str) -> T:
    """Repeats a submit under its key. `Refused` means that no try of it was stored."""
    failures: List[EbbError] = []

    def noted() -> T:
        try:
            return once()
        except EbbError as error:
            failures.append(error)
            raise

    try:
        return repeated(noted, patience)
    except EbbError as last:
        may_be_stored = any(map(_leaves_open, failures))
        if may_be_stored and not _is_of_every_try(last):
            why = f"the submit may be stored or not: {last}"
            raise Unreachable(why, idempotency_key=key) from last
        raise


def _leaves_open(error: EbbError) -> bool:
    """Whether the request may have been served all the same."""
    return not isinstance(error, Refused) or error.status == 408 or error.status >= 500


def _is_of_every_try(error: EbbError) -> bool:
    """Whether earlier tries were not served either: a token, which may have ended since, is looked
    at before the key.
    """
    return isinstance(error, Refused) and error.final and error.status not in (401, 403)
