"""How a run of a job ends: a handler returns one of these, or raises it."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from .durations import Seconds, iso

_LONGEST_REASON = 64
_LONGEST_MESSAGE = 1024
_LONGEST_RESULT = 1000
_MOST_NAMES, _LONGEST_NAME = 20, 63


def _storable(text: str, most: int) -> str:
    """As much of it as is kept, counted as the server does, with question marks for what
    PostgreSQL cannot store.
    """
    units = text.encode("utf-16-le", "surrogatepass")[: most * 2]
    kept = units.decode("utf-16-le", "surrogatepass")
    return kept.replace("\0", "?").encode("utf-8", "replace").decode()


def described(error: BaseException) -> str:
    """Its type and its text, unless that cannot be made."""
    name = type(error).__name__
    try:
        return f"{name}: {error}"
    except Exception:
        return name


def bare(word: str, why: str) -> Dict[str, Any]:
    """The outcome of that name, without what cannot be told of it: what is done stays done, and
    what is to be a dead letter becomes one.
    """
    if word in ("completed", "not_ready", "cancelled", "given_back"):
        return {"outcome": word}
    known = word if word in ("fatal", "throttled") else "failed"
    return {"outcome": known, "reason": "bad_outcome", "message": _storable(why, _LONGEST_MESSAGE)}


class Outcome(Exception):
    """How a run ends. The server decides what becomes of the job."""

    word = ""

    def fields(self) -> Dict[str, Any]:
        """As a settle tells it."""
        return {"outcome": self.word}


class Completed(Outcome):
    """Done. `result`, up to 20 strings by name, is kept and shown; of each, 1,000 characters.
    What is not a string is kept as `str()` writes it. A name is a letter, then letters, digits and
    `_ . -`; up to 63 characters.
    """

    word = "completed"

    def __init__(self, result: Optional[Mapping[str, str]] = None):
        super().__init__(self.word)
        self.result = result

    def fields(self) -> Dict[str, Any]:
        if self.result and len(self.result) > _MOST_NAMES:
            raise ValueError(f"a result has at most {_MOST_NAMES} names")
        result = {
            str(name)[:_LONGEST_NAME]: _storable(str(value), _LONGEST_RESULT)
            for name, value in (self.result or {}).items()
        }
        return {**super().fields(), **({"result": result} if result else {})}


class Failed(Outcome):
    """Not done, and to be tried again by the job's policy. `reason` is a word for all such
    failures.
    """

    word = "failed"

    def __init__(self, reason: str, message: str = ""):
        super().__init__(f"{reason}: {message}" if message else reason)
        self.reason, self.message = reason, message

    def fields(self) -> Dict[str, Any]:
        return {
            **super().fields(),
            "reason": _storable(str(self.reason), _LONGEST_REASON).strip() or self.word,
            "message": _storable(str(self.message), _LONGEST_MESSAGE),
        }

    @staticmethod
    def of(error: BaseException) -> "Failed":
        return Failed("exception", described(error))


class Fatal(Failed):
    """Not done, and no other attempt would help: a dead letter."""

    word = "fatal"


class Throttled(Failed):
    """Somebody asked for fewer calls: the rate of the queue is cut, and no retry comes before
    `retry_after`.
    """

    word = "throttled"

    def __init__(
        self, reason: str = "throttled", message: str = "", retry_after: Optional[Seconds] = None
    ):
        super().__init__(reason, message)
        self.retry_after = retry_after

    def fields(self) -> Dict[str, Any]:
        after = {} if self.retry_after is None else {"retryAfter": iso(self.retry_after)}
        return {**super().fields(), **after}


class NotReady(Outcome):
    """Too early: the job comes again after `delay`, or by its policy; costs no attempt."""

    word = "not_ready"

    def __init__(self, delay: Optional[Seconds] = None):
        super().__init__(self.word)
        self.delay = delay

    def fields(self) -> Dict[str, Any]:
        return {**super().fields(), **({} if self.delay is None else {"delay": iso(self.delay)})}


class Cancelled(Outcome):
    """Ended, because somebody asked for that."""

    word = "cancelled"


class GivenBack(Outcome):
    """Not begun, or not ended, by a worker that stops; costs no attempt."""

    word = "given_back"
