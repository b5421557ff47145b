"""Submits jobs to Ebb, a distributed job scheduler, and runs them."""

from .client import Ebb, Submitted
from .errors import EbbError, Refused, Unreachable, Violation
from .jobs import Job, Json
from .outcomes import Cancelled, Completed, Failed, Fatal, GivenBack, NotReady, Outcome, Throttled
from .runs import Run, Stop
from .version import VERSION as __version__
from .worker import Worker

__all__ = [
    "Cancelled",
    "Completed",
    "Ebb",
    "EbbError",
    "Failed",
    "Fatal",
    "GivenBack",
    "Job",
    "Json",
    "NotReady",
    "Outcome",
    "Refused",
    "Run",
    "Stop",
    "Submitted",
    "Throttled",
    "Unreachable",
    "Violation",
    "Worker",
    "__version__",
]
