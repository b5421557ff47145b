"""Reads leases. A payload stays the text that it is: parsed, it may lose digits, and one that
cannot be parsed fails its own run alone.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Pattern, Tuple

from .durations import parse

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_SCALAR = re.compile(r"[^ \t\r\n,\]}]+")
_STRING_OR_BRACKET = re.compile(_STRING.pattern + r'|["\[\]{}]')
_DEEPER = {"{": 1, "[": 1, "}": -1, "]": -1}
_USUAL_TIMEOUT = 60.0


class LeasedJob(NamedTuple):
    """A job of a lease."""

    id: str
    kind: str
    attempt: int
    max_attempts: int
    labels: Dict[str, str]
    traceparent: Optional[str]
    timeout: float
    payload_text: str

    @staticmethod
    def read(text: str) -> "LeasedJob":
        texts = dict(_members(text))
        payload = texts.pop("payload")
        job = {name: json.loads(one) for name, one in texts.items()}
        timeout = job.get("timeout")
        return LeasedJob(
            _string(job["id"]),
            _string(job["kind"]),
            int(job["attempt"]),
            int(job["maxAttempts"]),
            dict(job.get("labels") or {}),
            job.get("traceparent"),
            _USUAL_TIMEOUT if timeout is None else parse(timeout),
            payload,
        )


class Lease(NamedTuple):
    """Jobs that a worker has to itself for `length` seconds, unless it renews them."""

    id: str
    queue: str
    length: float
    jobs: List[LeasedJob]

    @staticmethod
    def read(text: str) -> "Lease":
        lease = dict(_members(text.strip()))
        return Lease(
            _string(json.loads(lease["lease"])),
            _string(json.loads(lease["queue"])),
            parse(json.loads(lease["length"])),
            [LeasedJob.read(job) for _, job in _members(lease["jobs"])],
        )


class Renewal(NamedTuple):
    """What a renewal came to."""

    renewed: List[str]
    lost: List[str]
    cancel: List[str]
    drain: bool

    @staticmethod
    def read(text: str) -> "Renewal":
        told = json.loads(text)
        renewed = [one["lease"] for one in told["renewed"]]
        return Renewal(renewed, list(told["lost"]), list(told["cancel"]), bool(told["drain"]))


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not a string: {value}")
    return value


def _members(text: str) -> Iterator[Tuple[Optional[str], str]]:
    """The name of each value of an object or array (None in an array), and its text."""
    named = text[0] == "{"
    at = _after_space(text, 1)
    while text[at] not in "}]":
        name = None
        if named:
            end = _after(text, at)
            name = json.loads(text[at:end])
            at = _after_space(text, _after_space(text, end) + 1)
        end = _after(text, at)
        yield name, text[at:end]
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    if at + 1 != len(text):
        raise ValueError("something follows it")


def _after_space(text: str, at: int) -> int:
    return _after_match(_SPACE, text, at)


def _after(text: str, start: int) -> int:
    """Where the value ends that begins there."""
    if text[start] not in "{[":
        return _after_match(_STRING if text[start] == '"' else _SCALAR, text, start)
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text, start):
        found = match.group()
        if found == '"':
            break
        depth += _DEEPER.get(found, 0)
        if depth == 0:
            return match.end()
    raise ValueError("it ends too early")


def _after_match(what: Pattern[str], text: str, at: int) -> int:
    match = what.match(text, at)
    if not match:
        raise ValueError(f"not JSON at {at}")
    return match.end()
