"""Jobs as a submit has them."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Union

from .durations import Seconds, iso


class Json(str):
    """A JSON text that is sent as it stands; a ValueError unless it is one JSON value."""

    def __new__(cls, text: str) -> Json:
        try:
            text.encode()
            json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"not one JSON value: {error}") from error
        return super().__new__(cls, text)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


@dataclass(frozen=True)
class Job:
    """A job to submit beside others. What is None is as the server has it."""

    kind: str
    payload: Any
    queue: Optional[str] = None
    unique_key: Optional[str] = None
    on_duplicate: Optional[str] = None
    ordering_key: Optional[str] = None
    run_at: Optional[datetime.datetime] = None
    delay: Optional[Seconds] = None
    priority: Optional[int] = None
    max_attempts: Optional[int] = None
    policy: Union[None, str, Mapping[str, Any]] = None
    timeout: Optional[Seconds] = None
    labels: Optional[Mapping[str, str]] = None

    def text(self) -> str:
        """As a submit over REST has it."""
        fields = {
            "kind": self.kind,
            "queue": self.queue,
            "uniqueKey": self.unique_key,
            "onDuplicate": self.on_duplicate,
            "orderingKey": self.ordering_key,
            "runAt": None if self.run_at is None else _instant(self.run_at),
            "delay": None if self.delay is None else iso(self.delay),
            "priority": self.priority,
            "maxAttempts": self.max_attempts,
            "policy": self.policy,
            "timeout": None if self.timeout is None else iso(self.timeout),
            "labels": self.labels,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return f'{json.dumps(given)[:-1]}, "payload": {_payload(self.payload)}}}'


def _payload(payload: Any) -> str:
    if isinstance(payload, Json):
        return payload
    return json.dumps(payload, ensure_ascii=False, allow_nan=False)


def _instant(at: datetime.datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("run_at must have a time zone")
    return at.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
