"""Drives the Python SDK as the conformance suite says."""

import json
import os
import pathlib
import queue
import sys
import threading

clients = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, os.environ.get("EBB_PYTHON", str(clients / "python")))

import ebb
from ebb.version import CLIENT

SUBMIT = {
    "queue": "queue",
    "uniqueKey": "unique_key",
    "orderingKey": "ordering_key",
    "onDuplicate": "on_duplicate",
    "delay": "delay",
    "timeout": "timeout",
    "labels": "labels",
    "priority": "priority",
    "maxAttempts": "max_attempts",
    "policy": "policy",
    "traceparent": "traceparent",
}
writing = threading.Lock()
workers = {}
runs = {}
ends = {}


def write(**told):
    with writing:
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def error(raised):
    if isinstance(raised, ebb.Refused):
        fields = {
            "status": raised.status,
            "type": raised.type,
            "code": raised.code,
            "field": raised.field,
            "place": raised.place,
        }
        return {**fields, "message": str(raised)}
    key = getattr(raised, "idempotency_key", None)
    return {**({"key": key} if key else {}), "message": f"{type(raised).__name__}: {raised}"}


class Unsayable(Exception):
    """Fails to make its text."""

    def __str__(self):
        raise RuntimeError


def outcome(told):
    word = told["outcome"]
    if word == "throws":
        raise RuntimeError(told["message"]) if "message" in told else Unsayable()
    if word == "completed":
        return told.get("result")
    if word == "failed":
        raise ebb.Failed(told["reason"], told.get("message", ""))
    if word == "fatal":
        raise ebb.Fatal(told["reason"], told.get("message", ""))
    if word == "throttled":
        return ebb.Throttled(told["reason"], told.get("message", ""), told.get("retryAfter"))
    if word == "not_ready":
        return ebb.NotReady(told.get("delay"))
    return {"cancelled": ebb.Cancelled, "given_back": ebb.GivenBack}[word]()


def handler(asked):
    def handle(run):
        box = ends[run.id] = queue.Queue()
        runs[run.id] = run
        write(
            event="run",
            worker=asked["worker"],
            id=run.id,
            kind=run.kind,
            attempt=run.attempt,
            labels=run.labels,
            traceparent=run.traceparent,
            payload=run.payload_text,
        )
        if "outcome" in asked:
            return outcome(asked["outcome"])
        threading.Thread(target=lambda: run.wait() and box.put(None), daemon=True).start()
        while True:
            told = box.get()
            if told is not None:
                return outcome(told)
            write(event="told", worker=asked["worker"], id=run.id, why=run.why)
            if not asked.get("stubborn"):
                run.check()

    return handle


def work(asked):
    worker = client(asked).worker(
        asked["worker"], asked["queues"], asked["slots"], lease=asked["lease"], wait=asked["wait"]
    )
    for kind in asked["kinds"]:
        worker.on(kind)(handler(asked))
    workers[asked["worker"]] = worker, asked["grace"]

    def run():
        try:
            worker.run()
            write(event="end", worker=asked["worker"])
        except ebb.EbbError as raised:
            write(event="end", worker=asked["worker"], error=error(raised))

    threading.Thread(target=run, daemon=True).start()
    return {"name": worker.name}


def options(asked):
    return {SUBMIT[name]: value for name, value in asked.items() if name in SUBMIT}


def client(asked):
    more = {"patience": asked["patience"]} if "patience" in asked else {}
    return ebb.Ebb(asked["url"], asked["token"], **more)


def submit(asked):
    stored = client(asked).submit(asked["kind"], ebb.Json(asked["payload"]), **options(asked))
    return stored._asdict()


def submit_many(asked):
    jobs = [ebb.Job(one["kind"], ebb.Json(one["payload"]), **options(one)) for one in asked["jobs"]]
    stored = client(asked).submit_many(jobs)
    return {"jobs": [one._asdict() for one in stored]}


def progress(asked):
    runs[asked["id"]].progress({"percent": asked["percent"], "message": asked["message"]})
    return {}


def end(asked):
    ends[asked["id"]].put(asked["outcome"])
    return {}


def stop(asked):
    worker, grace = workers[asked["worker"]]
    worker.stop(grace)
    return {}


COMMANDS = {
    "hello": lambda _: {"client": CLIENT},
    "work": work,
    "submit": submit,
    "submit_many": submit_many,
    "progress": progress,
    "end": end,
    "stop": stop,
}


def serve(asked):
    try:
        write(n=asked["n"], ok=COMMANDS[asked["do"]](asked))
    except Exception as raised:
        write(n=asked["n"], error=error(raised))


for line in sys.stdin:
    asked = json.loads(line)
    threading.Thread(target=serve, args=(asked,), daemon=True).start()
