"""What people and servers ask of workers: cases 14 to 20."""

import datetime
import json
import time

from case import COMPLETED, case, must
from proxy import AsToken, Rewrite
from sdk import Refusal
from stack import until

POLLS, RENEW, SETTLE, STOP = (
    "/v1/leases",
    "/v1/leases/renew",
    "/v1/leases/settle",
    "/v1/leases/stop",
)


@case(14, "cancel")
def cancel(c):
    job, other = c.submit(), c.submit()
    c.work(lease=5)
    c.ran(job)
    c.ran(other)
    c.api.post(f"/v1/jobs/{job}/cancel")

    c.sdk.event("told", id=job, why="cancel")
    c.until_state(job, "cancelled")
    must(c.result(job)["outcome"] == "cancelled", f"told {c.results(job)}")
    must(not c.sdk.all("told", id=other), "another run was told to stop")
    c.end(other)
    c.until_state(other, "completed")


@case(15, "drain")
def drain(c):
    job = c.submit()
    name = c.work(lease=5, wait=1)
    c.ran(job)
    c.api.post(f"/v1/nodes/{name}/drain")
    drained = c.proxy.await_("a renewal says drain", RENEW, lambda one: drains(one))
    until(
        "the poll of before ends",
        lambda: not [p for p in c.proxy.of(POLLS, answered=False) if not p.ended],
    )
    polls = len(c.proxy.of(POLLS, answered=False))
    other = c.submit()

    c.proxy.await_(
        "two more renewals", RENEW, lambda one: drains(one) and one.began > drained.ended, count=2
    )
    must(len(c.proxy.of(POLLS, answered=False)) == polls, "it polls while it is to drain")
    must(not c.sdk.all("run", id=other), "a job came to a worker that drains")
    c.api.post(f"/v1/nodes/{name}/undrain")
    c.ran(other)
    for one in (job, other):
        c.end(one)
        c.until_state(one, "completed")

    c.api.post(f"/v1/nodes/{name}/drain")
    c.proxy.await_("a poll without a lease is held", POLLS, lambda one: one.held == "drain")
    idle = c.submit()
    c.api.post(f"/v1/nodes/{name}/undrain")
    c.ran(idle)


def drains(renewal):
    return renewal.status == 200 and json.loads(renewal.answer)["drain"]


@case(16, "stop")
def stop(c):
    jobs = [c.submit() for _ in range(3)]
    name = c.work(slots=4, stubborn=True, grace=4)
    for job in jobs:
        c.ran(job)
    c.proxy.await_("a poll waits", POLLS, lambda one: not one.ended, answered=False)
    began = time.monotonic()
    number = c.sdk.send("stop", worker=c.worker)

    c.proxy.await_("it says that it stops", STOP, lambda one: one.status == 204)
    late = c.submit()
    c.end(jobs[0])
    c.until_state(jobs[0], "completed")
    must(not c.sdk.is_answered(number), "it stopped while jobs were running")
    c.sdk.answer(number, "stop")
    took = time.monotonic() - began
    must(took >= 4, f"jobs had {took} s to end, and not 4")
    for job in jobs[1:]:
        c.sdk.event("told", id=job, why="stop")
        c.result(job)
        must([one["outcome"] for one in c.results(job)] == ["given_back"], f"told {c.results(job)}")
        shown = c.shown(job)
        must((shown["state"], shown["attempt"]) == ("available", 0), "giving back cost an attempt")
        c.end(job)
    said = c.proxy.of(STOP)[0]
    must(
        not [one for one in c.proxy.of(POLLS, answered=False) if one.began > said.ended],
        "it polled after its stop",
    )
    must(not c.sdk.all("run", id=late), "a job came after its stop")
    must(c.api.get(f"/v1/nodes/{name}")["state"] == "stopped", "it is not shown as stopped")
    must(not c.results(late), "an outcome was sent of a job that did not run")
    # The machine may have stalled once.
    must(
        any(ends_when_told(c, f"-{n}") for n in range(3)),
        "what ends when it is told to is given back",
    )


def ends_when_told(c, suffix):
    worker, queue = c.worker + suffix, c.queue + suffix
    job = c.submit(queue=queue)
    c.work(worker=worker, queues=[queue], stubborn=True, grace=0)
    c.ran(job)
    number = c.sdk.send("stop", worker=worker)
    c.sdk.event("told", id=job, why="stop")
    c.end(job)
    c.sdk.answer(number, "stop")
    return [one["outcome"] for one in c.results(job)] == ["completed"]


@case(17, "a cold limiter and three waiters keep to the curve", alone=True)
def curve(c):
    workers = [f"{c.worker}-{n}" for n in range(3)]
    rate = {"permitsPerSecond": 20, "warmUp": "PT6S", "coldFactor": 4}
    c.api.put(f"/v1/queues/{c.queue}", {"paused": False, "rateLimit": rate})
    for worker in workers:
        name = c.work(worker=worker, slots=20, outcome=COMPLETED)
        c.proxy.await_(
            "it waits",
            POLLS,
            lambda one, name=name: one.json()["worker"] == name,
            answered=False,
        )
    points = c.api.get(f"/v1/queues/{c.queue}/limiter")["curve"]
    c.submit_many(60)
    c.until_completed(60, 120)

    jobs = [c.shown(run["id"]) for run in c.sdk.all("run")]
    # Not since the first start: a machine that stalls may have written that late.
    began = min(epoch(job["createdAt"]) for job in jobs)
    starts = sorted(epoch(job["startedAt"]) - began for job in jobs)
    for n, start in enumerate(starts, 1):
        most = permits(points, start)
        # A burst of 50 ms comes at once.
        must(
            n <= most + 2,
            f"{n} jobs had started after {start:.2f} s, and the curve has {most:.1f}",
        )
    last = starts[-1]
    expected = next(point["seconds"] for point in points if point["permits"] >= 60)
    must(last < 3 * expected + 10, f"60 jobs took {last:.1f} s, and the curve {expected:.1f} s")
    got = {worker: len(c.sdk.all("run", worker=worker)) for worker in workers}
    must(all(got.values()), f"a waiter starved: {got}")
    most = max(
        len(json.loads(one.answer)["jobs"]) for one in c.proxy.of(POLLS) if one.status == 200
    )
    must(most <= 2, f"a burst of {most} jobs came at once")


def epoch(instant):
    return datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()


def permits(points, seconds):
    """What the curve lets through in that time."""
    for low, high in zip(points, points[1:]):
        if low["seconds"] <= seconds <= high["seconds"]:
            part = (seconds - low["seconds"]) / (high["seconds"] - low["seconds"])
            return low["permits"] + part * (high["permits"] - low["permits"])
    return float("inf")


@case(18, "throttled cuts the rate")
def throttled(c):
    c.api.put(f"/v1/queues/{c.queue}", {"paused": False, "rateLimit": {"permitsPerSecond": 100}})
    job = c.submit(policy={"jitter": "none", "base": "PT0.1S", "cap": "PT1H"})
    c.work()
    c.ran(job)
    c.end(job, {"outcome": "throttled", "reason": "busy", "retryAfter": 600})

    c.until_settled("it is told", "settled", job)
    limiter = until("the rate is cut", lambda: cut(c.api.get(f"/v1/queues/{c.queue}/limiter")))
    must(limiter["stableRate"] < 75, f"the rate is {limiter['stableRate']} of 100")
    shown = c.shown(job)
    after = epoch(shown["runAt"]) - epoch(shown["startedAt"])
    must(after >= 600, f"it is due after {after} s, and not 600")


def cut(limiter):
    return limiter if "throttledAt" in limiter else None


@case(19, "a foreign token, and a foreign queue")
def foreign(c):
    bound, other = c.token_for("elsewhere"), c.token_for()
    c.work(token=bound)
    error = c.sdk.event("end", worker=c.worker)["error"]
    must(
        (error["status"], error["code"]) == (403, "queue_not_allowed"),
        f"a foreign queue ends it with {error}",
    )
    must(error["type"] == "urn:ebb:problem:queue_not_allowed", f"the type is {error['type']}")
    refused(lambda: c.sdk_submit(token="no-token-of-this-server"), 401, "unauthenticated")
    field = refused(lambda: c.sdk_submit(policy="absent"), 400, "invalid_input")["field"]
    must(field == "/policy", f"the field is {field}")
    error = refused(lambda: c.sdk_submit_many({}, {"policy": "absent"}), 400, "invalid_input")
    where = (error["field"], error["place"])
    must(where == ("/jobs/1/policy", 1), f"the field and the place are {where}")
    stored = c.stack.sql(f"select count(*) from ebb.job where queue = '{c.queue}'")
    must(stored == "0", f"{stored} jobs of a batch that was refused are stored")

    job = c.submit()
    c.work(worker=c.worker + "-b", lease=5)
    c.ran(job)
    c.proxy.fault(SETTLE, AsToken(other))
    c.end(job)
    why = c.until_settled("a foreign settle is refused", "refused", job)["why"]
    must(why == "lease_ended", f"it was refused because of {why}")
    must(c.shown(job)["state"] != "completed", "a foreign token settled")
    c.sdk.event("run", id=job, attempt=2)
    c.end(job)
    c.until_state(job, "completed")
    c.proxy.fault(POLLS, AsToken(other))
    late = c.submit()
    c.ran(late)
    c.end(late)
    error = c.sdk.event("end", worker=c.worker + "-b")["error"]
    must(
        (error["status"], error["code"]) == (409, "worker_name_taken"),
        f"a name that is taken ends it with {error}",
    )


def refused(submit, status, code):
    try:
        submit()
    except Refusal as refusal:
        error = refusal.error
        must((error.get("status"), error.get("code")) == (status, code), f"refused with {error}")
        return error
    raise AssertionError("it was not refused")


# Digits, spaces, order and escapes that a parser would not keep; and what looks like a payload.
PAYLOADS = [
    '{"b": 1.50,  "a":[1,"\\u00e9"],"n":12345678901234567890}',
    ' [1e2, -0, 0.10, {"payload": "\\"}]{" , "jobs":[{}]}] ',
    '"\\\\"',
    "12345678901234567890.10",
    "{}",
    "null",
    '{"é€😀":"\\ud83d\\ude00"}',
]


@case(20, "payloads to the byte, leases over 2^53, unknown fields, an old server")
def bytes_and_fields(c):
    for path in (POLLS, RENEW, SETTLE, "/v1/jobs", "/v1/jobs/batch"):
        c.proxy.fault(path, Rewrite(later), times=1_000)
    jobs = [c.sdk_submit(payload)["id"] for payload in PAYLOADS]
    jobs += [one["id"] for one in c.sdk_submit_many(*({"payload": text} for text in PAYLOADS))]
    c.work(slots=20)
    for job, payload in zip(jobs, PAYLOADS * 2):
        run = c.ran(job)
        must(run["payload"] == payload.strip(), f"{payload} came as {run['payload']}")
    lease = c.lease_of(jobs[0])["lease"]
    must(int(lease) > 2**53, f"the lease is {lease}")
    c.proxy.await_(
        "it renews", RENEW, lambda one: one.status == 200 and lease in one.json()["leases"]
    )
    must(lease in c.proxy.of(RENEW)[-1].answer, "the lease is not renewed")
    for job in jobs:
        c.end(job)
        c.until_state(job, "completed")
        must(c.result(job)["lease"] == c.lease_of(job)["lease"], "the lease lost digits")
    c.sdk.call("stop", worker=c.worker)
    must(c.proxy.of(STOP), "it did not say that it stops")


def later(path, text):
    """The answer of a later server: there is more in it, everywhere."""
    more = '"later":{"jobs":[{"payload":1}],"lease":1},'
    changed = text.replace('{"lease":', "{" + more + '"lease":').replace(
        '{"id":', "{" + more + '"id":'
    )
    return (
        "{" + more + changed[1:]
        if changed.startswith('{"') and not changed.startswith('{"later"')
        else changed
    )
