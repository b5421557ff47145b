"""The leases that a worker holds, and what runs under them."""

from __future__ import annotations

import threading
import time
from typing import Callable, Dict, Iterable, List, Optional, Set, Tuple

from .leases import Lease
from .runs import Run

# A worker that is silent for 30 seconds counts as lost.
_LONGEST_PAUSE = 10.0


class _Held:
    def __init__(self, lease: Lease, since: float):
        self.length = lease.length
        self.unsettled: Set[str] = {job.id for job in lease.jobs}
        self.renewed = since
        self.asked(since)

    def asked(self, now: float) -> None:
        self.due = now + min(self.length / 3, _LONGEST_PAUSE)

    def ends(self) -> float:
        return self.renewed + self.length


class Held:
    """Keeps count under one lock. Times are of this machine's clock, from before a request was
    sent.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self._leases: Dict[str, _Held] = {}
        self._runs: Dict[Tuple[str, str], Run] = {}

    def ring(self) -> None:
        """What its user waits for may have changed."""
        with self.changed:
            self.changed.notify_all()

    def add(self, lease: Lease, runs: Iterable[Run], since: float) -> None:
        with self.changed:
            self._leases[lease.id] = _Held(lease, since)
            self._runs.update(((lease.id, run.id), run) for run in runs)
            self.changed.notify_all()

    def running(self) -> int:
        with self.changed:
            return len(self._runs)

    def is_empty(self) -> bool:
        with self.changed:
            return not self._leases

    def end(self, run: Run) -> bool:
        """Ends a run; whether its outcome is still wanted."""
        with self.changed:
            wanted = self._runs.pop((run.lease, run.id), None) is not None
            self.changed.notify_all()
            return wanted and run.lease in self._leases

    def settled(self, lease: str, job: str) -> None:
        with self.changed:
            held = self._leases.get(lease)
            if held is not None:
                held.unsettled.discard(job)
                if not held.unsettled:
                    del self._leases[lease]
            self.changed.notify_all()

    def lose(self, leases: Iterable[str]) -> None:
        """Their runs are told to stop, and what they come to is wanted no more."""
        with self.changed:
            gone = {lease for lease in leases if self._leases.pop(lease, None)}
            for run in [run for run in self._runs.values() if run.lease in gone]:
                run._tell("lost")
            self.changed.notify_all()

    def expire(self, now: float) -> Set[str]:
        """Loses those that nobody has renewed in time, and answers them. A renewal cannot come
        between.
        """
        with self.changed:
            over = {lease for lease, held in self._leases.items() if held.ends() <= now}
            if over:
                self.lose(over)
            return over

    def cancel(self, jobs: Iterable[str]) -> None:
        with self.changed:
            asked = set(jobs)
            for run in [run for run in self._runs.values() if run.id in asked]:
                run._tell("cancel")

    def stop(self) -> None:
        """Its runs are told that the worker stops."""
        with self.changed:
            for run in self._runs.values():
                run._tell("stop")

    def await_end(self, until: float) -> None:
        """Until all runs have ended, or then."""
        with self.changed:
            self.changed.wait_for(lambda: not self._runs, max(0.0, until - time.monotonic()))

    def abandon(self) -> List[Run]:
        """Ends all runs that have not ended."""
        with self.changed:
            runs = list(self._runs.values())
            self._runs.clear()
            self.changed.notify_all()
            return runs

    def ask(self, now: float) -> List[str]:
        """The leases that a renewal names, once the first is due: all, so that one request does."""
        with self.changed:
            if all(held.due > now for held in self._leases.values()):
                return []
            for held in self._leases.values():
                held.asked(now)
            return list(self._leases)

    def ask_again(self, leases: Iterable[str], at: float) -> None:
        """Their renewal got no answer."""
        with self.changed:
            for lease in leases:
                if lease in self._leases:
                    self._leases[lease].due = at

    def renew(self, leases: Iterable[str], since: float) -> None:
        with self.changed:
            for lease in leases:
                if lease in self._leases:
                    self._leases[lease].renewed = since

    def of(self, leases: Set[str]) -> List[Run]:
        """What runs under these."""
        with self.changed:
            return [run for run in self._runs.values() if run.lease in leases]

    def rest(self, look: Callable[[float], Optional[float]], ended: Callable[[], bool]) -> None:
        """Until the time that a look answers, or something changes: seen and awaited under one
        lock.
        """
        with self.changed:
            until = look(time.monotonic())
            if not ended():
                left = None if until is None else max(0.0, until - time.monotonic())
                self.changed.wait(left)

    def next_renewal(self, _: float) -> Optional[float]:
        return min((held.due for held in self._leases.values()), default=None)

    def watch(self, now: float) -> Optional[float]:
        """Tells runs whose time is over to stop; when to look again."""
        times = [held.ends() for held in self._leases.values()]
        for run in self._runs.values():
            if run.why is None:
                end = run._began + run.timeout
                if end <= now:
                    run._tell("timeout")
                else:
                    times.append(end)
        return min(times, default=None)
