"""Runs jobs that it polls for."""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
import uuid
from typing import Any, Callable, Collection, Dict, Iterable, List, Optional, Sequence

from . import rules, signals
from .durations import Seconds, iso
from .errors import EbbError, Refused
from .held import Held
from .http import Answer, Http, pause, repeated
from .leases import Lease
from .outcomes import GivenBack
from .renewing import Renewing
from .runs import Handler, Run, refuse_unrunnable
from .settling import Settling
from .version import CLIENT

_LOG = logging.getLogger("ebb")
_MOST_JOBS = 64
_MOST_LEASES = 100
_SHORT_PAUSE = 1.0
_AGAIN = 1.0
_LONGEST_REQUEST = 10.0
_SAY_STOP = 3.0
_LAST_POLL = 5.0
_LAST_WORDS = 1.0
_FLUSH = 10.0


class Worker:
    """Polls for jobs, runs each in a thread of its own, renews leases meanwhile, and settles.

    Four threads: one polls, for no more jobs than there are free slots; one renews all leases in
    one request, every third of their length or ten seconds; one tells runs that their time is over;
    one settles whatever has ended, a request at a time.
    """

    def __init__(
        self,
        http: Http,
        name: str,
        queues: Sequence[str],
        slots: int,
        lease: Seconds,
        wait: Seconds,
    ):
        rules.queues(queues)
        rules.slots(slots)
        self.name = f"{name}-{secrets.token_hex(3)}"
        self._http, self._queues, self._slots = http, list(queues), slots
        self._lease, self._wait = rules.lease(lease), rules.wait(wait)
        # For what must leave time for another request under the same lease.
        self._patience = min(_LONGEST_REQUEST, max(1.0, self._lease / 3))
        self._handlers: Dict[str, Handler] = {}
        self._held = Held()
        self._settling = Settling(http, self.name, self._held.settled)
        self._renewing = Renewing(http, self.name, self._patience)
        self._draining = False
        self._stopping = threading.Event()
        self._failure: Optional[Exception] = None
        self._stop_lock = threading.Lock()
        self._ended = threading.Event()
        self._threads: List[threading.Thread] = []
        self._process: Optional[int] = None

    def on(self, kind: str) -> Callable[[Handler], Handler]:
        """Names the handler of a kind: `@worker.on("paid")`, or `worker.on("paid")(handler)`.
        Ebb's own workers alone run deliveries, of kind http.
        """
        if kind == "http":
            raise ValueError("Ebb's own workers alone run deliveries, of kind http")

        def named(handler: Handler) -> Handler:
            refuse_unrunnable(handler)
            self._handlers[kind] = handler
            return handler

        return named

    def start(self) -> "Worker":
        """Starts, and comes back at once."""
        if not self._handlers:
            raise ValueError("the worker has no handler: name one by on()")
        if self._process is not None:
            if self._process != os.getpid():
                raise RuntimeError("the worker was started before a fork: start one after it")
            return self
        self._process = os.getpid()
        for work in (self._poll_all, self._renew_all, self._watch_all, self._settling.run):
            thread = threading.Thread(
                target=self._work, args=(work,), name=f"ebb-{self.name}", daemon=True
            )
            thread.start()
            self._threads.append(thread)
        return self

    def run(self, grace: Seconds = 20) -> None:
        """Starts, and comes back once stopped: by `stop()`, SIGTERM or SIGINT. Raises what ended
        its polls.
        """
        rules.grace(grace)
        with signals.heard(self._stopping.set):
            self.start()
            self._stopping.wait()
            self.stop(grace)
        if self._failure:
            raise self._failure

    def stop(self, grace: Seconds = 20) -> None:
        """Polls no more, lets jobs end for so long, tells the others to stop, gives back those that
        do not within a second, and settles all.
        """
        length = rules.grace(grace)
        with self._stop_lock:
            if self._ended.is_set() or not self._threads:
                return
            end = time.monotonic() + length
            self._stopping.set()
            self._held.ring()
            self._say_stop()
            self._threads[0].join(_LAST_POLL)
            self._held.await_end(end)
            self._held.stop()
            self._held.await_end(time.monotonic() + _LAST_WORDS)
            self._give_back(self._held.abandon())
            self._settling.flush(_FLUSH)
            self._ended.set()
            self._held.ring()

    @property
    def failure(self) -> Optional[Exception]:
        """What ended its polls for good; None as long as they go on."""
        return self._failure

    def _work(self, work: Callable[[], None]) -> None:
        """Without one of its threads it would look alive, and not be."""
        try:
            work()
        except Exception as error:
            unexpected = not isinstance(error, EbbError)
            _LOG.error("ebb: %s ends: %s", self.name, error, exc_info=unexpected)
            self._failure = error
            self._stopping.set()

    def _say_stop(self) -> None:
        body = json.dumps({"worker": self.name})
        try:
            repeated(
                lambda: self._http.post("/v1/leases/stop", body, timeout=_SAY_STOP), _SAY_STOP
            )
        except EbbError as error:
            _LOG.warning("ebb: %s could not say that it stops: %s", self.name, error)

    # Polls.

    def _poll_all(self) -> None:
        while True:
            room = self._await_room()
            if self._stopping.is_set():
                return
            self._poll(min(room, _MOST_JOBS))

    def _await_room(self) -> int:
        """Waits for a free slot, and while it is to drain; without a lease only a poll tells
        whether it is.
        """
        with self._held.changed:
            self._held.changed.wait_for(self._may_poll)
            return self._room()

    def _may_poll(self) -> bool:
        if self._held.is_empty():
            self._draining = False
        return self._stopping.is_set() or (self._room() > 0 and not self._draining)

    def _room(self) -> int:
        """Where outcomes cannot be told, it takes no more jobs than it has slots."""
        if self._settling.waiting() >= self._slots:
            return 0
        return self._slots - self._held.running()

    def _poll(self, room: int) -> None:
        """Polls once, however often that has to be sent: the same request, so that no answer is
        lost.
        """
        body = json.dumps(
            {
                "worker": self.name,
                "requestId": str(uuid.uuid4()),
                "queues": self._queues,
                "kinds": sorted(self._handlers),
                "max": room,
                "lease": iso(self._lease),
                "wait": iso(self._wait),
                "slots": self._slots,
                "client": CLIENT,
            }
        )
        tries = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                # The lease begins before its answer ends: a rest that stalls must not use it up.
                answer = self._http.post(
                    "/v1/leases", body, timeout=self._wait + 10, rest=self._patience
                )
                return self._take(answer, tries > 0, time.monotonic() - began)
            except EbbError as error:
                if isinstance(error, Refused) and error.final:
                    raise
                tries += 1
                if tries > 1:
                    _LOG.warning("ebb: %s repeats a poll: %s", self.name, error)
                self._stopping.wait(pause(tries, error))

    def _take(self, answer: Answer, repeated: bool, took: float) -> None:
        if answer.status == 204:
            if took < min(_SHORT_PAUSE, self._wait or _SHORT_PAUSE):
                self._stopping.wait(_SHORT_PAUSE)
            return
        lease = answer.read(Lease.read)
        runs = [Run(lease, job) for job in lease.jobs]
        stopping = self._stopping.is_set()
        # Nobody knows when an answer that was lost was made: that lease is renewed at once.
        age = lease.length / 3 if repeated else 0.0
        self._held.add(lease, [] if stopping else runs, answer.since - age)
        if stopping:
            self._give_back(runs)
        else:
            for run in runs:
                threading.Thread(
                    target=self._run, args=(run,), name=f"ebb-{run.id}", daemon=True
                ).start()

    def _run(self, run: Run) -> None:
        ended = run._end(self._handlers[run.kind])
        if self._held.end(run):
            self._settling.add([self._result(run, ended)])

    def _give_back(self, runs: Iterable[Run]) -> None:
        self._settling.add(self._result(run, GivenBack().fields()) for run in runs)

    @staticmethod
    def _result(run: Run, ended: Dict[str, Any]) -> Dict[str, Any]:
        return {"lease": run.lease, "id": run.id, "tookMs": run._took_millis(), **ended}

    # Renewals.

    def _renew_all(self) -> None:
        while not self._ended.is_set():
            now = time.monotonic()
            leases = self._held.ask(now)
            for n in range(0, len(leases), _MOST_LEASES):
                self._renew(leases[n : n + _MOST_LEASES])
            self._held.rest(self._held.next_renewal, self._ended.is_set)

    def _watch_all(self) -> None:
        """In a thread of its own: a renewal may hang."""
        while not self._ended.is_set():
            over = self._held.expire(time.monotonic())
            if over:
                self._settling.forget(over)
            self._held.rest(self._held.watch, self._ended.is_set)

    def _renew(self, leases: List[str]) -> None:
        began = time.monotonic()
        try:
            renewal = self._renewing.renew(leases, self._held.of(set(leases)))
        except EbbError as error:
            _LOG.warning("ebb: %s could not renew its leases: %s", self.name, error)
            self._held.ask_again(leases, time.monotonic() + _AGAIN)
            return
        self._held.renew(renewal.renewed, began)
        missed = set(leases) - set(renewal.renewed) - set(renewal.lost)
        if missed:
            self._held.ask_again(missed, time.monotonic() + _AGAIN)
        self._lose(renewal.lost)
        self._held.cancel(renewal.cancel)
        with self._held.changed:
            self._draining = renewal.drain
            self._held.changed.notify_all()

    def _lose(self, leases: Collection[str]) -> None:
        if leases:
            self._settling.forget(set(leases))
            self._held.lose(leases)
