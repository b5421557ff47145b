"""Durations as the server writes them."""

from __future__ import annotations

import datetime
import re
from typing import Union

Seconds = Union[float, int, datetime.timedelta]

_ISO = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")


def seconds(duration: Seconds) -> float:
    if isinstance(duration, datetime.timedelta):
        return duration.total_seconds()
    return float(duration)


def iso(duration: Seconds) -> str:
    """PT1.5S for 1.5."""
    return f"PT{seconds(duration):.6f}".rstrip("0").rstrip(".") + "S"


def parse(text: str) -> float:
    """1.5 for PT1.5S."""
    match = _ISO.fullmatch(text)
    if not match:
        raise ValueError(f"not a duration: {text}")
    days, hours, minutes, rest = (float(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest
