"""What costs a worker nothing: cases 21 to 28."""

import json

from case import COMPLETED, case, must, until_over
from proxy import Refuse, Replace, Stall
from stack import until

POLLS, RENEW, SETTLE = "/v1/leases", "/v1/leases/renew", "/v1/leases/settle"
SUBMIT, BATCH = "/v1/jobs", "/v1/jobs/batch"
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def statuses(c, path):
    """Of the requests that were answered: a machine that stalls has others cut."""
    return [one.status for one in c.proxy.of(path) if one.status]


@case(21, "more progress than a request takes")
def much_progress(c):
    jobs = c.submit_many(70)
    c.work(slots=70)
    c.sdk.event("run", count=70)
    for job in jobs:
        c.sdk.call("progress", id=job, percent=40, message=f"almost\0 {job} ".ljust(1_000, "x"))

    shown = f"almost? {jobs[0]} ".ljust(1_000, "x")
    for job in jobs:
        expected = {"percent": 40, "message": shown.replace(jobs[0], job)}
        until(
            f"people see the progress of {job}",
            lambda job=job, expected=expected: c.shown(job).get("progress") == expected,
        )
    told = c.proxy.await_("progress is told", RENEW, lambda one: "progress" in one.json())
    c.proxy.await_(
        "progress that was heard is not sent again",
        RENEW,
        lambda one: one.began > told.began and one.status and "progress" not in one.json(),
    )
    must(not {400, 413} & set(statuses(c, RENEW)), "a renewal was refused")
    for job in jobs:
        c.end(job)
    c.until_completed(len(jobs))
    must(len(c.sdk.all("run")) == 70, "a job ran twice")


@case(22, "progress that is refused")
def refused_progress(c):
    job = c.submit()
    for status in (400, 413):
        c.proxy.fault(RENEW, Refuse(status, lambda one: "progress" in one.json()))
    c.work()
    c.ran(job)
    for percent in (10, 20):
        c.sdk.call("progress", id=job, percent=percent, message="")
        refused = c.proxy.await_(
            f"the progress of {percent} % is told",
            RENEW,
            lambda one, percent=percent: (
                one.json().get("progress", {}).get(job, {}).get("percent") == percent
            ),
        )
        must(refused.status in (400, 413), f"it was answered with {refused.status}")
        again = c.proxy.await_("it renews", RENEW, lambda one, at=refused.ended: one.began > at)
        must("progress" not in again.json(), "what is refused is sent again")
        must(again.json()["leases"] == refused.json()["leases"], "it renews other leases")
    until_over(c, job)
    c.sdk.call("progress", id=job, percent=30, message="")
    until("people see it", lambda: c.shown(job).get("progress", {}).get("percent") == 30)
    c.end(job)
    must(c.until_state(job, "completed")["attempt"] == 1, "it lost the lease")


@case(23, "a server that fails once, and a proxy that asks for patience")
def failing(c):
    paths = (SUBMIT, POLLS, RENEW, SETTLE)
    for path in paths:
        c.proxy.fault(path, Refuse(500))
        c.proxy.fault(path, Refuse(429))
    job = c.sdk_submit()["id"]
    c.work()
    c.ran(job)
    until_over(c, job)
    c.end(job)

    must(c.until_state(job, "completed")["attempt"] == 1, "it lost the lease")
    for path in paths:
        found = statuses(c, path)
        good = found[:2] == [500, 429] and not {500, 429} & set(found[2:])
        must(good, f"{path} was answered by {found}")
    must(len({one.headers["idempotency-key"] for one in c.proxy.of(SUBMIT)}) == 1, "two keys")
    first, *again = c.proxy.of(POLLS)[:3]
    must(all(one.body == first.body for one in again), "the poll was not repeated as it was")


@case(24, "answers that stall")
def stalling(c):
    # A lease lasts for less than a poll may wait.
    c.proxy.fault(POLLS, Stall())
    job = c.submit()
    c.work(wait=20)
    run = c.ran(job)
    must(run["attempt"] == 1, f"it ran as attempt {run['attempt']}: its first lease was lost")
    must(any(one.stalls for one in c.proxy.of(POLLS)), "no poll stalled")

    c.proxy.fault(RENEW, Stall())
    stalled = c.proxy.await_("a renewal stalls", RENEW, lambda one: one.stalls)
    c.proxy.await_("it renews again", RENEW, lambda one: one.began > stalled.began, count=2)
    must(not c.sdk.all("told", id=job), "it lost the lease")
    c.end(job)
    c.until_state(job, "completed")


@case(25, "one progress of many that is refused")
def one_refused_progress(c):
    jobs = c.submit_many(3)
    c.proxy.fault(RENEW, Refuse(400, lambda one: len(one.json().get("progress", {})) == 3))
    c.proxy.fault(RENEW, Refuse(400, lambda one: "wrong" in one.body), times=1_000)
    c.work()
    c.sdk.event("run", count=3)
    for job in jobs:
        message = "wrong" if job == jobs[0] else "good"
        c.sdk.call("progress", id=job, percent=40, message=message)
    for job in jobs[1:]:
        until(
            "people see the progress of the others",
            lambda job=job: c.shown(job).get("progress", {}).get("message") == "good",
        )
    c.sdk.call("progress", id=jobs[0], percent=50, message="good")
    until("people see it", lambda: c.shown(jobs[0]).get("progress", {}).get("percent") == 50)
    for job in jobs:
        c.end(job)
    c.until_completed(len(jobs))


@case(26, "a proxy that answers for a server")
def replaced(c):
    job = c.submit()
    elsewhere = Refuse(302, location=f"{c.proxy.url}/elsewhere")
    c.proxy.fault(POLLS, elsewhere)
    c.proxy.fault(POLLS, Replace(502))
    c.proxy.fault(SETTLE, elsewhere)
    c.work(lease=3_600)
    c.ran(job)
    _, first, again = c.proxy.of(POLLS)[:3]
    must(first.status == 502 and first.body == again.body, "the poll was not repeated as it was")
    lease = json.loads(again.answer)["lease"]
    # Nobody knows how much of the lease is left.
    renewal = c.proxy.await_("it is renewed", RENEW, lambda one: lease in one.json()["leases"])
    must(renewal.began < again.began + 5, "it was not renewed at once")
    c.end(job)
    must(c.until_state(job, "completed")["attempt"] == 1, "it ran twice")
    must(not c.proxy.of("/elsewhere", answered=False), "its token went where a proxy said")


@case(27, "the trace of a job")
def trace(c):
    traced = c.sdk_submit(traceparent=TRACE)["id"]
    other = c.sdk_submit()["id"]
    c.work(outcome=COMPLETED)
    for job, expected in ((traced, TRACE), (other, None)):
        found = c.ran(job).get("traceparent")
        must(found == expected, f"its trace is {found}, and not {expected}")


LEASE = (
    '{"lease":"7","queue":"q","expiresAt":"2026-01-01T00:00:00Z","length":"PT15S","jobs":[{'
    '"id":"a","kind":"paid","attempt":1,"maxAttempts":3,"priority":5,'
    '"runAt":"2026-01-01T00:00:00Z","createdAt":"2026-01-01T00:00:00Z","labels":{},"payload":'
)
UNREADABLE = {
    SUBMIT: ("{", "{}"),
    BATCH: ('{"items":[]}',),
    POLLS: (
        LEASE + "{}}]",
        LEASE + '{"html":"x}}]}',
        LEASE.replace('"id"', '"ID"') + "{}}]}",
    ),
    RENEW: ("[]", '{"renewed":[],"lost":[],"cancel":null,"drain":false}'),
    SETTLE: ("{}", '{"settled":[],"refused":[null],"locked":[]}'),
}
# What proxies make of their refusals.
OTHERS = ("[]", '{"errors":{"field":["x"]}}', '{"errors":[null]}')


@case(28, "answers that cannot be read, and the payload that is hardest to read")
def unreadable(c):
    for path, answers in UNREADABLE.items():
        for answer in answers:
            c.proxy.fault(path, Replace(200, answer))
    # While it reloads, a proxy has no route to poll by.
    for path, status in ((BATCH, 502), (POLLS, 404), (SETTLE, 502)):
        for answer in OTHERS:
            c.proxy.fault(path, Refuse(status, answer=answer))
    job = c.sdk_submit()["id"]
    one, other = c.sdk_submit_many({"queue": "other"}, {"queue": "other"})
    must(one["id"] != other["id"], "two jobs have one id")
    hard = "[" * 500 + "1" * 1_000 + "]" * 500
    deep = c.stack.sql(f"select id from ebb.submit('paid', '{hard}', queue => '{c.queue}')")
    c.work(lease=30)
    c.ran(job)
    must(c.ran(deep)["payload"] == hard, "the payload is not as it was submitted")
    c.proxy.await_("a renewal cannot be read", RENEW, lambda one: "null" in (one.answer or ""))
    c.proxy.await_("it renews again", RENEW, lambda one: '"expiresAt"' in (one.answer or ""))
    for one in (job, deep):
        c.end(one)
        must(c.until_state(one, "completed")["attempt"] == 1, "it ran twice")
    must(any("null" in one.answer for one in c.proxy.of(SETTLE)), "each settle could be read")
