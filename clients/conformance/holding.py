"""What becomes of leases: cases 8 to 13."""

from case import COMPLETED, case, must, settled
from proxy import Cut, Lose
from stack import until

RENEW, SETTLE = "/v1/leases/renew", "/v1/leases/settle"


def names(exchange, leases):
    return set(leases) <= set(exchange.json()["leases"])


@case(8, "renew")
def renew(c):
    first = c.submit()
    c.work(lease=5)
    c.ran(first)
    second = c.submit()
    c.ran(second)
    leases = [c.lease_of(job)["lease"] for job in (first, second)]
    must(leases[0] != leases[1], "one lease has both jobs")
    progress = {"percent": 40, "message": "nearly half"}
    c.sdk.call("progress", id=second, **progress)

    c.proxy.await_(
        "one request renews both",
        RENEW,
        lambda one: one.status == 200 and names(one, leases),
        count=2,
    )
    until("people see its progress", lambda: c.shown(second).get("progress") == progress)
    must("progress" not in c.shown(first), "another job has progress")
    over = f"select now() > '{c.lease_of(second)['expiresAt']}'"
    until("the lease would be over", lambda: c.stack.sql(over) == "t")
    for job in (first, second):
        c.end(job)
        ended = c.until_state(job, "completed")
        must(ended["attempt"] == 1, f"it took {ended['attempt']} attempts")
    must(
        len({one.json()["worker"] for one in c.proxy.of(RENEW)}) == 1, "renewals have several names"
    )


@case(9, "renew a lost one")
def renew_lost(c):
    job = c.submit(policy="default")
    # Long enough that a worker that is not told does not see the lease run out first.
    c.work(lease=30)
    c.ran(job)
    # Until it is rescued, a renewal would find it.
    c.proxy.fault(RENEW, Cut(), times=1_000)
    c.expire(c.lease_of(job)["lease"])
    c.until_outcome(job, 1, "failed")
    c.proxy.heal()

    c.sdk.event("told", id=job, why="lost")
    after = c.submit()
    c.ran(after)
    c.end(after)
    c.until_state(after, "completed")
    must(not c.results(job), "an outcome was sent under a lease that was lost")
    must(c.shown(job)["lastError"]["reason"] == "worker_lost", "the attempt does not count as lost")


# What is told, what becomes of the job, and the field that shows it.
OUTCOMES = [
    ({"outcome": "completed", "result": {"booking": "B7"}}, "completed", None),
    ({"outcome": "failed", "reason": "away", "message": "later"}, "available", "away"),
    ({"outcome": "throws", "message": "broke"}, "available", "exception"),
    ({"outcome": "throttled", "reason": "busy", "retryAfter": 5}, "available", "busy"),
    ({"outcome": "not_ready", "delay": 300}, "available", None),
    ({"outcome": "fatal", "reason": "gone", "message": "no account"}, "dead_letter", "gone"),
    ({"outcome": "cancelled"}, "cancelled", None),
    ({"outcome": "given_back"}, "available", None),
]


@case(10, "each outcome")
def outcomes(c):
    slow = {"jitter": "none", "base": "PT10M", "cap": "PT10M"}
    jobs = [c.submit(n, policy=slow) for n in range(len(OUTCOMES))]
    c.work(slots=len(jobs))
    for job in jobs:
        c.ran(job)
    for job, (outcome, became, reason) in zip(jobs, OUTCOMES):
        c.end(job, outcome)
        told = c.until_settled(f"{outcome['outcome']} is told", "settled", job)
        must(told["became"] == became, f"{outcome} became {told['became']}")
        shown = c.shown(job)
        found = shown.get("lastError", {}).get("reason")
        must(found == reason, f"{outcome} is shown as {found}")
    must(c.shown(jobs[0])["result"] == {"booking": "B7"}, "the result is not kept")
    must(c.result(jobs[3])["retryAfter"] == "PT5S", "retryAfter is another")
    must(c.result(jobs[4])["delay"] in ("PT300S", "PT5M"), "delay is another")
    c.sdk.event("run", id=jobs[-1], count=2)
    must(c.sdk.all("run", id=jobs[-1])[1]["attempt"] == 1, "giving back cost an attempt")


@case(11, "settle twice, and what is locked again")
def settle_twice(c):
    job = c.submit()
    c.work()
    c.ran(job)
    c.proxy.fault(SETTLE, Lose())
    c.end(job)

    why = c.until_settled("the repeat is refused", "refused", job)["why"]
    must(why in ("lease_ended", "settled"), f"it was refused because of {why}")
    first, again = c.results(job)[:2]
    must(first == again, "the repeat says something else")
    after = c.submit()
    c.ran(after)
    c.end(after)
    c.until_state(after, "completed")
    must(len(c.results(job)) == 2, "a refused result was sent again")
    count = c.stack.sql(f"select count(*) from ebb.every_history where id = '{job}'")
    must(count == "1", f"the job ended {count} times")

    locked, free = c.submit(), c.submit()
    c.ran(locked)
    c.ran(free)
    session = c.stack.session()
    session.run("begin")
    session.run(f"select id from ebb.job where id = '{locked}' for update")
    c.end(locked)
    c.until_settled("one that is locked is put off", "locked", locked)
    c.end(free)
    c.until_state(free, "completed")
    session.run("rollback")
    session.close()
    c.until_state(locked, "completed")


@case(12, "settle after a rescue")
def settle_late(c):
    job = c.submit()
    # It does not hear that it lost the lease.
    c.proxy.fault(RENEW, Cut(), times=1_000)
    c.work(lease=60, slots=1)
    c.ran(job)
    lease = c.lease_of(job)["lease"]
    c.proxy.fault(SETTLE, Cut())
    c.expire(lease)
    c.until_outcome(job, 1, "failed")
    c.end(job)

    c.sdk.event("run", id=job, attempt=2)
    c.proxy.heal()
    c.end(job)
    c.until_state(job, "completed")
    late = [result for result in c.results(job) if result["lease"] == lease]
    done = [
        one
        for one in c.proxy.of(SETTLE)
        if (told := settled(one, "settled", job)) and told["lease"] == lease
    ]
    must(not done, "the lease that was lost settled")
    must(late, "the outcome was never sent")
    must(c.shown(job)["attempt"] == 2, "the attempts are not counted")


@case(13, "half a batch, and the rest expires")
def half(c):
    jobs = c.submit_many(4)
    c.work(lease=5, wait=1)
    for job in jobs:
        c.ran(job)
    must(len(c.lease_of(jobs[0])["jobs"]) == 4, "the jobs came in several leases")
    for job in jobs[:2]:
        c.end(job)
        c.until_state(job, "completed")
    c.sdk.kill()

    for job in jobs[2:]:
        lost = c.until_outcome(job, 1, "failed")
        must(
            lost["error"]["reason"] == "worker_lost",
            f"the attempt failed because of {lost['error']}",
        )
    sdk = c.another_sdk()
    c.work(sdk, worker=c.worker + "-b", outcome=COMPLETED)
    for job in jobs[2:]:
        c.until_state(job, "completed")
        must(c.ran(job, sdk)["attempt"] == 2, "it is another attempt")
    must(len(sdk.all("run")) == 2, "a job that was settled ran again")
