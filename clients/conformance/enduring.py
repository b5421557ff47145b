"""What costs a worker nothing: cases 21 to 24."""

from case import case, must
from proxy import Refuse, Stall
from stack import until

POLLS, RENEW, SETTLE, SUBMIT = "/v1/leases", "/v1/leases/renew", "/v1/leases/settle", "/v1/jobs"


@case(21, "more progress than a request takes")
def much_progress(c):
    jobs = c.submit_many(70)
    c.work(slots=70, lease=5)
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
    heard = c.proxy.of(RENEW)[-1]
    c.proxy.await_("it renews", RENEW, lambda one: one.began > heard.ended, count=2)
    renewals = c.proxy.of(RENEW)
    must({one.status for one in renewals} == {200}, "a renewal was refused")
    must("progress" not in renewals[-1].json(), "progress that was heard is sent again")
    for job in jobs:
        c.end(job)
    c.until_completed(len(jobs))
    must(len(c.sdk.all("run")) == 70, "a job ran twice")


@case(22, "progress that is refused")
def refused_progress(c):
    job = c.submit()
    for status in (400, 413):
        c.proxy.fault(RENEW, Refuse(status, lambda one: "progress" in one.json()))
    c.work(lease=5)
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
        must(again.began - refused.ended < 1, "it did not renew at once")
    over = f"select now() > '{c.lease_of(job)['expiresAt']}'"
    until("the lease would be over", lambda: c.stack.sql(over) == "t")
    c.sdk.call("progress", id=job, percent=30, message="")
    until("people see it", lambda: c.shown(job).get("progress", {}).get("percent") == 30)
    c.end(job)
    must(c.until_state(job, "completed")["attempt"] == 1, "it lost the lease")


@case(23, "a server that fails once")
def failing(c):
    for path in (SUBMIT, POLLS, RENEW, SETTLE):
        c.proxy.fault(path, Refuse(500))
    job = c.sdk_submit()["id"]
    c.work(lease=5)
    c.ran(job)
    over = f"select now() > '{c.lease_of(job)['expiresAt']}'"
    until("the lease would be over", lambda: c.stack.sql(over) == "t")
    c.end(job)

    must(c.until_state(job, "completed")["attempt"] == 1, "it lost the lease")
    for path in (SUBMIT, POLLS, RENEW, SETTLE):
        statuses = [one.status for one in c.proxy.of(path)]
        must(statuses[0] == 500 and 500 not in statuses[1:], f"{path} was answered by {statuses}")
    must(len({one.headers["idempotency-key"] for one in c.proxy.of(SUBMIT)}) == 1, "two keys")
    first, again = c.proxy.of(POLLS)[:2]
    must(first.body == again.body, "the poll was not repeated as it was")


@case(24, "answers that stall")
def stalling(c):
    job = c.submit()
    c.proxy.fault(RENEW, Stall())
    c.work(wait=1)
    c.ran(job)
    stalled = c.proxy.await_("a renewal stalls", RENEW, lambda one: one.stalls)
    c.proxy.await_("it renews again", RENEW, lambda one: one.began > stalled.began, count=2)
    must(not c.sdk.all("told", id=job), "it lost the lease")
    c.end(job)
    c.until_state(job, "completed")

    c.proxy.fault(POLLS, Stall())
    late = c.submit()
    run = c.ran(late)
    must(run["attempt"] == 1, f"it ran as attempt {run['attempt']}: its first lease was lost")
    c.end(late)
    c.until_state(late, "completed")
