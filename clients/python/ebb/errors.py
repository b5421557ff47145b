"""What a call can come to other than its answer."""

from __future__ import annotations

import json
import re
from typing import Any, List, NamedTuple, Optional

# Whatever a server or a proxy fails at: each request may be sent again.
_PASSING = (408, 429)
_SECONDS = re.compile("[0-9]{1,6}")
_PLACE = re.compile(r"/jobs/(\d+)(?:/|$)")


class EbbError(Exception):
    """Any of the errors here."""


class Unreachable(EbbError):
    """No usable answer came. A submit may be stored all the same: `idempotency_key` is the key
    under which it was sent, and another submit of the same under it stores nothing twice.
    """

    def __init__(self, message: str, idempotency_key: Optional[str] = None):
        super().__init__(message)
        self.idempotency_key = idempotency_key


class Violation(NamedTuple):
    """A rule that was broken, and the field that broke it."""

    pointer: str
    rule: str


class Refused(EbbError):
    """The server said no, and why (RFC 9457). `code` says it for programs."""

    def __init__(self, status: int, problem: "dict[str, Any]", retry_after: Optional[float]):
        super().__init__(problem.get("detail") or problem.get("title") or f"status {status}")
        self.status = status
        self.type: str = problem.get("type", "about:blank")
        self.code: str = problem.get("code", "")
        self.retryable: bool = (
            bool(problem.get("retryable")) or status >= 500 or status in _PASSING
        )
        self.retry_after = retry_after
        self.errors: List[Violation] = [
            Violation(str(one.get("pointer") or one.get("parameter") or ""), one.get("rule", ""))
            for one in problem.get("errors", [])
        ]

    @property
    def final(self) -> bool:
        """Whether a server of Ebb's that can do its work has said so. A proxy without a route
        answers with 404 and the like for a while.
        """
        return not self.retryable and self.code not in ("", "read_only")

    @property
    def field(self) -> Optional[str]:
        """The first field that broke a rule, as a JSON Pointer: `/payload`."""
        return self.errors[0].pointer if self.errors else None

    @property
    def place(self) -> Optional[int]:
        """The place, from 0, of the first job with errors among those that were submitted
        together.
        """
        found = filter(None, (_PLACE.match(one.pointer) for one in self.errors))
        return next((int(at.group(1)) for at in found), None)

    @staticmethod
    def read(status: int, text: str, retry_after: Optional[str]) -> "Refused":
        """A proxy may have answered, in a shape of its own."""
        seconds = float(retry_after) if _SECONDS.fullmatch(retry_after or "") else None
        try:
            return Refused(status, json.loads(text), seconds)
        except Exception:
            return Refused(status, {}, seconds)
