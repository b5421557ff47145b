"""Reads leases. A payload stays the text that it is: parsed, it may lose digits, and what cannot
be parsed is the matter of its run alone.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Pattern, Tuple

from .durations import parse

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_SCALAR = re.compile(r"[^ \t\r\n,\]}]+")
_STRING_OR_BRACKET = re.compile(_STRING.pattern + r"|[\[\]{}]")


class LeasedJob(NamedTuple):
    """A job of a lease: its fields but for the payload, and that to the byte."""

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
        lease = dict(_members(text))
        return Lease(
            json.loads(lease["lease"]),
            json.loads(lease["queue"]),
            parse(json.loads(lease["length"])),
            [_leased(dict(_members(job))) for _, job in _members(lease["jobs"])],
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
        return Renewal(renewed, told["lost"], told["cancel"], told["drain"])


def _leased(job: Dict[Optional[str], str]) -> LeasedJob:
    payload = job.pop("payload")
    return LeasedJob({name: json.loads(text) for name, text in job.items() if name}, payload)


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


def _after_space(text: str, at: int) -> int:
    return _after_match(_SPACE, text, at)


def _after(text: str, start: int) -> int:
    """Where the value ends that begins there."""
    if text[start] not in "{[":
        return _after_match(_STRING if text[start] == '"' else _SCALAR, text, start)
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    raise ValueError("it ends too early")


def _after_match(what: Pattern[str], text: str, at: int) -> int:
    match = what.match(text, at)
    if not match:
        raise ValueError(f"it is no JSON at {at}")
    return match.end()
