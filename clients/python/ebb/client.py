"""Submits jobs."""

from __future__ import annotations

import datetime
import json
import time
import uuid
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Union

from .durations import Seconds, iso, seconds
from .http import Http, repeated
from .worker import Worker

_TRIES = 6


class Json(str):
    """A JSON text that is sent as it stands."""


class Submitted(NamedTuple):
    """A job that is stored, or, if `duplicate`, the one that has its unique key."""

    id: str
    duplicate: bool


class Ebb:
    """A server, and a token for it. Threads may share one."""

    def __init__(self, url: str, token: Optional[str] = None, timeout: Seconds = 10):
        self._http = Http(url, token, seconds(timeout))

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
    ) -> Submitted:
        """Stores a job. It is repeated under one Idempotency-Key until the server answers, six
        times at most.
        """
        fields = {
            "kind": kind,
            "queue": queue,
            "uniqueKey": unique_key,
            "onDuplicate": on_duplicate,
            "orderingKey": ordering_key,
            "runAt": None if run_at is None else _instant(run_at),
            "delay": None if delay is None else iso(delay),
            "priority": priority,
            "maxAttempts": max_attempts,
            "policy": policy,
            "timeout": None if timeout is None else iso(timeout),
            "labels": labels,
        }
        body = _object(
            {name: value for name, value in fields.items() if value is not None}, payload
        )
        key = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        stored = repeated(lambda: self._http.post("/v1/jobs", body, key), _TRIES, time.sleep).json()
        return Submitted(stored["id"], bool(stored.get("deduplicated", False)))

    def worker(
        self,
        name: str,
        queues: Sequence[str],
        slots: int = 10,
        lease: Seconds = 15,
        wait: Seconds = 20,
    ) -> Worker:
        """A worker that runs jobs of these queues, so many at a time. Each process needs a name
        of its own.
        """
        return Worker(self._http, name, queues, slots, seconds(lease), seconds(wait))


def _object(fields: Dict[str, Any], payload: Any) -> str:
    text = (
        payload
        if isinstance(payload, Json)
        else json.dumps(payload, ensure_ascii=False, allow_nan=False)
    )
    return f'{json.dumps(fields)[:-1]}, "payload": {text}}}'


def _instant(at: datetime.datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("run_at must have a time zone")
    return at.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
