"""Tells the server how runs ended, in batches, until it has taken each."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from .errors import EbbError, Refused
from .http import Http, pause
from .outcomes import bare

_LOG = logging.getLogger("ebb")
_MOST_RESULTS = 500
_MOST_BYTES = 1024 * 1024
_UNAUTHORIZED = 401
# So often something before the server may refuse, before each result goes alone.
_MOST_FOREIGN = 4
# For so long it may refuse one that goes alone, before that is taken to be for the content.
_FOREIGN_LASTS = 10.0
_AT = re.compile(r"/results/(\d+)")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0


class _Result:
    def __init__(self, fields: Dict[str, Any]):
        self.fields = fields
        self.text = self.whole = json.dumps(fields)
        self.key: Tuple[str, str] = (fields["lease"], fields["id"])
        self.due = 0.0
        self.pause = _FIRST_PAUSE
        self.is_bare = False
        # When something before the server first refused it alone.
        self.refused_since: Optional[float] = None

    def put_off(self) -> None:
        self.due = time.monotonic() + self.pause
        self.pause = min(self.pause * 2, _LONGEST_PAUSE)

    def make_bare(self, rule: str) -> None:
        of = {name: self.fields[name] for name in ("lease", "id", "tookMs")}
        self.text = json.dumps({**of, **bare(self.fields["outcome"], rule)})
        self.is_bare = True

    def refused_alone(self, rule: str) -> None:
        """By something before the server. If it refuses the bare form as well, the content was not
        its reason: both take turns until one passes.
        """
        now = time.monotonic()
        if self.refused_since is None:
            self.refused_since = now
        if self.is_bare:
            self.text, self.is_bare = self.whole, False
        elif now - self.refused_since >= _FOREIGN_LASTS:
            self.make_bare(rule)
        self.put_off()


class _Settled(NamedTuple):
    """What is refused, with the reason, and what somebody has locked; all else is settled."""

    refused: List[Tuple[str, str]]
    locked: Set[Tuple[str, str]]

    @staticmethod
    def read(text: str) -> "_Settled":
        told = json.loads(text)
        return _Settled(
            [(one["id"], one.get("why", "")) for one in told["refused"]],
            {(one["lease"], one["id"]) for one in told["locked"]},
        )


class Settling:
    """The results that are to be told. `told` hears of each one that needs no more."""

    def __init__(self, http: Http, worker: str, told: Callable[[str, str], None]):
        self._http, self._worker, self._told = http, worker, told
        self._changed = threading.Condition()
        self._results: List[_Result] = []
        self._ending = False
        self._tries = 0
        self._most = _MOST_RESULTS

    def add(self, results: Iterable[Dict[str, Any]]) -> None:
        with self._changed:
            self._results.extend(_Result(fields) for fields in results)
            self._changed.notify_all()

    def waiting(self) -> int:
        with self._changed:
            return len(self._results)

    def forget(self, leases: Set[str]) -> None:
        """Of leases that were lost, nothing is settled any more."""
        with self._changed:
            self._results = [one for one in self._results if one.key[0] not in leases]
            self._changed.notify_all()

    def flush(self, seconds: float) -> bool:
        """Waits until all are told, or so long, and ends; whether all are told."""
        with self._changed:
            done = self._changed.wait_for(lambda: not self._results, seconds)
            self._ending = True
            self._changed.notify_all()
            return done

    def run(self) -> None:
        while True:
            batch = self._next()
            if not batch:
                return
            try:
                self._send(batch)
                self._tries = 0
            except EbbError as error:
                self._failed(batch, error)

    def _next(self) -> List[_Result]:
        """Those that are due, once there are some; none at the end."""
        with self._changed:
            while not self._ending:
                now = time.monotonic()
                due = [one for one in self._results if one.due <= now]
                if due:
                    return self._fitting(due)
                first = min((one.due for one in self._results), default=None)
                self._changed.wait(None if first is None else first - now)
            return []

    def _fitting(self, due: List[_Result]) -> List[_Result]:
        """As many as go in one request. What was refused alone goes alone again, so that it holds
        up no other.
        """
        if due[0].refused_since is not None:
            return due[:1]
        size = 0
        fitting: List[_Result] = []
        for one in due:
            if one.refused_since is None:
                size += len(one.text)
                if fitting and (size > _MOST_BYTES or len(fitting) == self._most):
                    break
                fitting.append(one)
        return fitting

    def _send(self, batch: List[_Result]) -> None:
        results = ", ".join(one.text for one in batch)
        body = f'{{"worker": {json.dumps(self._worker)}, "results": [{results}]}}'
        settled = self._http.post("/v1/leases/settle", body).read(_Settled.read)
        for job, why in settled.refused:
            _LOG.warning("ebb: the outcome of job %s was refused: %s", job, why)
        self._most = min(_MOST_RESULTS, self._most * 2)
        self._done([one for one in batch if one.key not in settled.locked])
        for one in batch:
            if one.key in settled.locked:
                one.put_off()

    def _done(self, batch: Iterable[_Result]) -> None:
        """Forgets them before it tells: whoever hears looks how many are waiting."""
        keys = {one.key for one in batch}
        with self._changed:
            self._results = [one for one in self._results if one.key not in keys]
            self._changed.notify_all()
        for key in keys:
            self._told(*key)

    def _failed(self, batch: List[_Result], error: EbbError) -> None:
        if isinstance(error, Refused) and self._may_be_of_content(batch, error):
            self._refused(batch, error)
        else:
            self._tries += 1
            if self._tries > 1:
                _LOG.warning("ebb: outcomes are told again: %s", error)
            with self._changed:
                self._changed.wait_for(lambda: self._ending, pause(self._tries, error))

    def _may_be_of_content(self, batch: List[_Result], error: Refused) -> bool:
        """Whether it may be the same however often it is sent."""
        if error.retryable or error.status == _UNAUTHORIZED:
            return False
        has_lasted = self._tries >= _MOST_FOREIGN or batch[0].refused_since is not None
        return error.final or (not error.code and has_lasted)

    def _refused(self, batch: List[_Result], error: Refused) -> None:
        """One bad result has the batch refused. If nothing says which, half of them go next, until
        it stands alone.
        """
        bad = {
            int(at.group(1)): broken.rule
            for broken in error.errors
            if error.final and (at := _AT.match(broken.pointer))
        }
        if not bad and len(batch) > 1:
            self._most = len(batch) // 2
            return
        for n, one in enumerate(batch):
            if n in bad or not bad:
                level = logging.ERROR if error.final else logging.WARNING
                _LOG.log(level, "ebb: the outcome of job %s is refused: %s", one.key[1], error)
                self._correct(one, bad.get(n, str(error)), error.final)

    def _correct(self, one: _Result, rule: str, final: bool) -> None:
        if not final:
            one.refused_alone(rule)
        elif one.is_bare:
            self._done([one])
        else:
            one.make_bare(rule)
