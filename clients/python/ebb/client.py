"""Submits jobs."""

from __future__ import annotations

import datetime
import json
import uuid
from typing import (
    Any,
    Callable,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    TypeVar,
    Union,
)

from . import rules
from .durations import Seconds
from .http import Http
from .jobs import Job
from .submits import submitted
from .worker import Worker

T = TypeVar("T")


class Submitted(NamedTuple):
    """A job that is stored, or, if `duplicate`, the one that has its unique key."""

    id: str
    duplicate: bool

    @staticmethod
    def read(text: str) -> "Submitted":
        return _submitted(json.loads(text))


def _submitted(stored: Mapping[str, Any]) -> Submitted:
    return Submitted(stored["id"], bool(stored.get("deduplicated", False)))


def _all_submitted(text: str, count: int) -> List[Submitted]:
    items = json.loads(text)["items"]
    if len(items) != count:
        raise ValueError(f"{len(items)} answers to {count} jobs")
    return [_submitted(one) for one in items]


class Ebb:
    """A server, and a token for it. Threads may share one. A submit is repeated for `patience`,
    and may take one `timeout` more.
    """

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        timeout: Seconds = 10,
        patience: Seconds = 30,
    ):
        self._http = Http(url, token, rules.timeout(timeout))
        self._patience = rules.patience(patience)

    def submit(
        self,
        kind: str,
        payload: Any,
        *,
        queue: Optional[str] = None,
        unique_key: Optional[str] = None,
        on_duplicate: Optional[str] = None,
        ordering_key: Optional[str] = None,
        run_at: Optional[datetime.datetime] = None,
        delay: Optional[Seconds] = None,
        priority: Optional[int] = None,
        max_attempts: Optional[int] = None,
        policy: Union[None, str, Mapping[str, Any]] = None,
        timeout: Optional[Seconds] = None,
        labels: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        traceparent: Optional[str] = None,
    ) -> Submitted:
        """Stores a job. It is repeated under one Idempotency-Key until the server answers.
        `traceparent` is the trace that it is submitted in (W3C Trace Context, version 00), which is
        passed to its runs; the server ignores a value that is not a valid traceparent.
        """
        job = Job(
            kind,
            payload,
            queue=queue,
            unique_key=unique_key,
            on_duplicate=on_duplicate,
            ordering_key=ordering_key,
            run_at=run_at,
            delay=delay,
            priority=priority,
            max_attempts=max_attempts,
            policy=policy,
            timeout=timeout,
            labels=labels,
        )
        return self._post("/v1/jobs", job.text(), Submitted.read, idempotency_key, traceparent)

    def submit_many(
        self,
        jobs: Iterable[Job],
        idempotency_key: Optional[str] = None,
        traceparent: Optional[str] = None,
    ) -> List[Submitted]:
        """Stores up to 1,000 jobs in one request, which is repeated as that of one job: all of
        them, or none. The answers stand in their order. All have the same trace, or none.
        """
        jobs = list(jobs)
        if not jobs:
            return []
        body = f'{{"jobs": [{", ".join(job.text() for job in jobs)}]}}'
        return self._post(
            "/v1/jobs/batch",
            body,
            lambda text: _all_submitted(text, len(jobs)),
            idempotency_key,
            traceparent,
        )

    def _post(
        self,
        path: str,
        body: str,
        reader: Callable[[str], T],
        key: Optional[str],
        traceparent: Optional[str],
    ) -> T:
        key = key or str(uuid.uuid4())
        headers = {"idempotency-key": key}
        if traceparent is not None:
            headers["traceparent"] = traceparent
        return submitted(
            lambda: self._http.post(path, body, headers).read(reader), self._patience, key
        )

    def worker(
        self,
        name: str,
        queues: Sequence[str],
        slots: int = 10,
        lease: Seconds = 15,
        wait: Seconds = 20,
    ) -> Worker:
        """A worker that runs jobs of 1 to 16 queues, so many at a time. Six hexadecimal digits are
        added to its name, so that several processes can run one program.
        """
        return Worker(self._http, name, queues, slots, lease, wait)
