"""Reads leases. A payload is kept as its text, too: parsed, it may lose digits."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

from .durations import parse

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


class LeasedJob(NamedTuple):
    """A job of a lease: its fields, and its payload to the byte."""

    fields: Dict[str, Any]
    payload_text: str


class Lease(NamedTuple):
    """Jobs that a worker has to itself for `length` seconds, unless it renews them."""

    id: str
    queue: str
    length: float
    jobs: List[LeasedJob]

    @staticmethod
    def read(text: str) -> "Lease":
        lease = json.loads(text)
        jobs = next(start for name, start, _ in _members(text, 0) if name == "jobs")
        payloads = [
            next(text[start:end] for name, start, end in _members(text, job) if name == "payload")
            for _, job, _ in _members(text, jobs)
        ]
        return Lease(
            lease["lease"],
            lease["queue"],
            parse(lease["length"]),
            [LeasedJob(*pair) for pair in zip(lease["jobs"], payloads)],
        )


def _members(text: str, start: int) -> Iterator[Tuple[Any, int, int]]:
    """The name of each value of the object or array there (None in an array), and where it
    stands.
    """
    named = text[start] == "{"
    at = _after_space(text, start + 1)
    while text[at] not in "}]":
        name = None
        if named:
            name, at = _DECODER.raw_decode(text, at)
            at = _after_space(text, _after_space(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield name, at, end
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
