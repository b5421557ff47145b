"""What clients and workers may be told."""

from __future__ import annotations

from typing import Sequence

from .durations import Seconds, seconds

_DAY = 24 * 3600.0


def _require(holds: bool, rule: str) -> None:
    if not holds:
        raise ValueError(rule)


def _between(duration: Seconds, least: float, most: float, rule: str) -> float:
    length = seconds(duration)
    _require(least <= length <= most, rule)
    return length


def timeout(duration: Seconds) -> float:
    return _between(duration, 0.001, 3600, "a timeout is a millisecond to an hour")


def patience(duration: Seconds) -> float:
    return _between(duration, 0, _DAY, "patience is at most a day")


def lease(duration: Seconds) -> float:
    return _between(duration, 5, 3600, "a lease lasts 5 seconds to an hour")


def wait(duration: Seconds) -> float:
    return _between(duration, 0, 30, "a poll waits up to 30 seconds")


def grace(duration: Seconds) -> float:
    return _between(duration, 0, _DAY, "running jobs have up to a day to end")


def slots(count: int) -> None:
    holds = isinstance(count, int) and 1 <= count <= 10_000
    _require(holds, "a worker has 1 to 10,000 slots")


def queues(names: Sequence[str]) -> None:
    holds = not isinstance(names, str) and 1 <= len(names) <= 16
    _require(holds, "a worker takes from a list of 1 to 16 queues")
