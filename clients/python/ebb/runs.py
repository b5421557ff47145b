"""A job that runs, as its handler sees it."""

from __future__ import annotations

import inspect
import json
import logging
import re
import threading
import time
from functools import cached_property
from typing import Any, Callable, Dict, Mapping, Optional, Union

from .leases import Lease, LeasedJob
from .outcomes import Cancelled, Completed, Failed, GivenBack, Outcome, bare, described

_LOG = logging.getLogger("ebb")
_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")

Handler = Callable[["Run"], Union[None, Outcome, Mapping[str, str]]]

_UNRUNNABLE = (
    inspect.iscoroutinefunction,
    inspect.isgeneratorfunction,
    inspect.isasyncgenfunction,
)
_UNRUN = (inspect.isawaitable, inspect.isgenerator, inspect.isasyncgen)


def refuse_unrunnable(handler: Handler) -> None:
    """To call an async function or a generator runs nothing of it."""
    if any(is_so(handler) for is_so in _UNRUNNABLE):
        raise TypeError("a handler is a plain function, which may call asyncio.run()")


class Stop(Exception):
    """Raised by `Run.check()` in a run that is to stop."""


class Run:
    """One attempt of a job."""

    def __init__(self, lease: Lease, job: LeasedJob):
        self.id = job.id
        self.kind = job.kind
        self.queue = lease.queue
        self.lease = lease.id
        self.attempt = job.attempt
        self.max_attempts = job.max_attempts
        self.labels = job.labels
        # The trace that the job was submitted in (W3C Trace Context), to which a span may link.
        self.traceparent = job.traceparent
        # The payload to the byte, for numbers that a float would round.
        self.payload_text = job.payload_text
        self.timeout = job.timeout
        self._began = time.monotonic()
        self._heard_at = self._began
        self._reported: Optional[str] = None
        self._heard: Optional[str] = None
        self._why: Optional[str] = None
        self._told = threading.Event()

    @cached_property
    def payload(self) -> Any:
        """Parsed when it is asked for: one that cannot be parsed fails this run alone."""
        return json.loads(self.payload_text)

    @property
    def why(self) -> Optional[str]:
        """Why it is to stop: cancel, timeout, lost (its lease), stop (the worker's); None if it
        is not.
        """
        return self._why

    def wait(self, seconds: Optional[float] = None) -> bool:
        """Waits until it is to stop, or so long; whether it is to stop."""
        return self._told.wait(seconds)

    def check(self) -> None:
        """Raises `Stop` if it is to stop."""
        if self._why:
            raise Stop(self._why)

    def progress(self, value: Any) -> None:
        """What people see of it, from one of the next renewals on: any JSON, with question marks
        for what PostgreSQL cannot store. What is too large for a renewal is not shown.
        """
        text = _NUL.sub(r"\1?", json.dumps(value, ensure_ascii=False, allow_nan=False))
        self._reported = text.encode("utf-8", "replace").decode()

    def _unheard(self) -> Optional[str]:
        """What was reported, as JSON, unless the server has heard it."""
        latest = self._reported
        return None if latest == self._heard else latest

    def _note_heard(self, told: str) -> None:
        """The server need not hear this again."""
        self._heard, self._heard_at = told, time.monotonic()

    def _tell(self, why: str) -> None:
        """Tells the handler to stop. That the lease is lost is stronger than all else."""
        if self._why is None or why == "lost":
            self._why = why
        self._told.set()

    def _took_millis(self) -> int:
        return int((time.monotonic() - self._began) * 1000)

    def _end(self, handler: Handler) -> Dict[str, Any]:
        """Runs it to its end, and answers how it ended as a settle tells it."""
        outcome = self._outcome(handler)
        try:
            fields = outcome.fields()
            json.dumps(fields, allow_nan=False)
            return fields
        except Exception as error:
            _LOG.error("ebb: the outcome of job %s cannot be told: %s", self.id, described(error))
            return bare(outcome.word, described(error))

    def _outcome(self, handler: Handler) -> Outcome:
        try:
            returned = handler(self)
        except Outcome as outcome:
            return outcome
        except BaseException as error:  # a sys.exit(), too: it would end this thread alone
            return self._raised(error)
        if returned is None or isinstance(returned, Outcome):
            return returned or Completed()
        if isinstance(returned, Mapping):
            return Completed(returned)
        if isinstance(returned, BaseException):
            return self._raised(returned)
        what = type(returned).__name__
        if any(is_so(returned) for is_so in _UNRUN):
            return Failed("bad_outcome", f"its handler returned a {what}, which nobody runs")
        _LOG.warning("ebb: job %s has no result: its handler returned %s", self.id, what)
        return Completed()

    def _raised(self, error: BaseException) -> Outcome:
        if self._why == "cancel":
            return Cancelled()
        if self._why == "timeout":
            return Failed("timeout", described(error))
        if self._why == "stop":
            return GivenBack()
        return Failed.of(error)
