"""What goes on for a while, and what can never be right: cases 29 to 35."""

import json
import time

from case import case, must, until_over
from proxy import Cut, Lose, Refuse, Replace, Rewrite, Stall
from sdk import Refusal
from stack import Broken, until

POLLS, RENEW, SETTLE = "/v1/leases", "/v1/leases/renew", "/v1/leases/settle"
STOP = "/v1/leases/stop"
SUBMIT = "/v1/jobs"
# As the server answers it.
INVALID, UNAUTHENTICATED = '{"code":"invalid_input"}', '{"code":"unauthenticated"}'


@case(29, "outcomes that are hard to tell", brief=30)
def hard_to_tell(c):
    jobs = c.submit_many(12, timeout="PT5M")
    long, wordy, passing = jobs[:3]
    thrown = c.submit(policy="default")
    c.work(slots=13)
    for job in (long, thrown, wordy):
        c.ran(job)
    c.end(long, {"outcome": "completed", "result": {"note": "x\0" + "x" * 2_000}})
    c.end(thrown, {"outcome": "throws"})
    told = c.until_state(long, "completed")
    must(told["result"] == {"note": "x?" + "x" * 998}, f"its result is {told['result']}")
    c.until_outcome(thrown, 1, "failed")
    c.end(wordy, {"outcome": "fatal", "reason": "no account " * 10, "message": "x" * 5_000})
    must(c.until_state(wordy, "dead_letter")["attempt"] == 1, "a dead letter was tried again")

    # While it reloads, a proxy has no route.
    c.proxy.fault(SETTLE, Refuse(404), times=8)
    c.ran(passing)
    c.end(passing, noted("good"))
    c.until_state(passing, "completed")
    must(all("result" in one for one in c.results(passing)), "it was told without its result")
    refused_by_the_server(c, *jobs[3:6])
    refused_before_the_server(c, *jobs[6:])


def noted(note):
    return {"outcome": "completed", "result": {"note": note}}


def end_together(c, outcomes, fault):
    """Nothing passes until all have ended, so that they go in one request, which meets this."""
    c.proxy.fault(SETTLE, Cut(), times=1_000)
    for job, outcome in outcomes.items():
        c.ran(job)
        c.end(job, outcome)
    c.proxy.heal((SETTLE, fault, 1_000))


def must_be_done_once(c, notes):
    """Each with its note, or without one."""
    for job, note in notes.items():
        told = c.until_state(job, "completed")
        must(told["attempt"] == 1, "what was done was done again")
        expected = note and {"note": note}
        must(told.get("result") == expected, f"its result is {told.get('result')}")


def refused_by_the_server(c, wrong, *others):
    """It does not say which result of a request is at fault."""
    fault = Refuse(400, lambda one: found_bad(one.body), INVALID)
    end_together(c, {wrong: noted("bad"), **{job: noted("good") for job in others}}, fault)
    must_be_done_once(c, {wrong: None, **{job: "good" for job in others}})
    c.proxy.heal()


def refused_before_the_server(c, wrong, dead, reloading, *others):
    """As a firewall does that finds an attack in it; and a proxy that reloads for long."""
    good = {job: noted("good") for job in (reloading, *others)}
    fatal = {"outcome": "fatal", "reason": "bad", "message": ""}

    def is_refused(one):
        # Until it has refused the bare form as well.
        reloads = all("result" in told for told in c.results(reloading))
        return found_bad(one.body) or (reloads and reloading in one.body)

    end_together(c, {wrong: noted("bad"), dead: fatal, **good}, Refuse(403, is_refused))
    must(c.until_state(dead, "dead_letter")["attempt"] == 1, "a dead letter was tried again")
    must_be_done_once(c, {wrong: None, **{job: "good" for job in good}})


def found_bad(body):
    return '"bad"' in body.replace(": ", ":")


@case(30, "renewals that fail for less than a lease")
def failed_renewals(c):
    job = c.submit()
    c.proxy.fault(SETTLE, Refuse(404))
    # Of a fault, the first comes first.
    c.proxy.fault(RENEW, Refuse(429, retry_after="3600"))
    c.proxy.fault(RENEW, Cut(), times=1_000)
    c.work()
    c.ran(job)
    first = c.proxy.await_("a renewal is refused", RENEW)
    # Who waits for a third of the lease after each comes too late.
    until("two thirds are over", lambda: time.monotonic() > first.began + 5.5)
    c.proxy.heal()
    until_over(c, job)
    must(not c.sdk.all("told", id=job), "it was told to stop")
    c.end(job)
    must(c.until_state(job, "completed")["attempt"] == 1, "it ran twice")
    c.proxy.fault(STOP, Refuse(429, retry_after="3600"), times=1_000)
    c.sdk.call("stop", worker=c.worker)


@case(31, "a lease that lasts for long")
def long_lease(c):
    job = c.submit()
    c.work(lease=90)
    c.ran(job)
    claimed = c.proxy.await_("a poll that gets a job", POLLS, lambda one: one.status == 200)
    # A worker that is silent for half a minute counts as lost.
    renewal = c.proxy.await_("a renewal", RENEW)
    must(renewal.began < claimed.began + 25, "nothing was heard of it for 25 s")
    c.end(job)
    c.until_completed(1)


@case(32, "a lease that is locked while it is renewed")
def locked_lease(c):
    job = c.submit()
    c.work(lease=30)
    c.ran(job)
    c.proxy.fault(RENEW, Rewrite(not_renewed))
    c.sdk.call("progress", id=job, percent=40, message="half")

    c.proxy.await_("the renewal is repeated", RENEW, count=2)
    first, again = c.proxy.of(RENEW)[:2]
    must(again.began < first.began + 5, "the lease waited for its turn")
    must(again.json().get("progress"), "nothing was written of it, and it was not told again")
    c.end(job)
    c.until_completed(1)


def not_renewed(path, text):
    return json.dumps({**json.loads(text), "renewed": []})


@case(33, "a submit that may be stored")
def in_doubt(c):
    firsts = (Lose(201), Replace(504))
    lasts = (Refuse(401, answer=UNAUTHENTICATED), Refuse(503))
    for first, last in ((first, last) for first in firsts for last in lasts):
        c.proxy.fault(SUBMIT, first)
        c.proxy.fault(SUBMIT, last, times=1_000)
        error = failed(c)
        must("status" not in error, f"one that is stored was refused with {error}")
        key = c.proxy.of(SUBMIT)[-1].headers["idempotency-key"]
        must(error.get("key") == key, f"it was sent under {key}, and told {error}")
        c.proxy.heal()
    stored = c.stack.sql(f"select count(*) from ebb.job where queue = '{c.queue}'")
    must(stored == "4", f"{stored} jobs are stored, and not 4")

    c.proxy.fault(SUBMIT, Refuse(429), times=1_000)
    must(failed(c).get("status") == 429, "one that each try was refused of may be stored")
    c.proxy.heal()
    c.proxy.fault(SUBMIT, Refuse(503))
    error = failed(c, policy="absent", patience=30)
    must(error.get("status") == 400, "one that breaks a rule may be stored")


def failed(c, **more):
    """What the SDK raises of a submit that it repeats for three seconds."""
    try:
        c.sdk_submit(**{"patience": 3, **more})
    except Refusal as refusal:
        return refusal.error
    raise Broken("the submit did not fail")


@case(34, "a renewal that hangs")
def hanging(c):
    # The lease of an answer that was lost is renewed at once.
    c.proxy.fault(POLLS, Lose())
    c.proxy.fault(RENEW, Stall())
    job = c.submit(timeout="PT3S", maxAttempts=1)
    c.work(lease=30)
    run = c.ran(job)
    c.proxy.await_("a renewal hangs", RENEW, lambda one: one.stalls)
    told = c.sdk.event("told", id=job, why="timeout")
    must(told["at"] - run["at"] < 7, "nobody told it that its time was over while that hung")
    c.until_state(job, "dead_letter")


# Spliced into a request, they would be a field, a job, or nothing at all.
NOT_ONE_VALUE = ('{}, "priority": 0', '{}}, {"kind": "paid", "payload": {}', "{} {}", "", "NaN")
NEVER_RIGHT = (
    {"slots": 0},
    {"slots": 10_001},
    {"lease": 4},
    {"lease": 3_601},
    {"wait": 31},
    {"queues": []},
    {"queues": [f"queue-{n}" for n in range(17)]},
)


@case(35, "what can never be right")
def never_right(c):
    for payload in NOT_ONE_VALUE:
        must("status" not in failed(c, payload=payload), f"{payload} was sent")
    error = failed(c, token="s\u00e9same")
    must("same" not in error["message"], f"the token is shown: {error}")
    for wrong in NEVER_RIGHT:
        try:
            c.work(**wrong)
        except Refusal:
            continue
        raise Broken(f"a worker started with {wrong}")
    must(not c.proxy.all(), "something was sent")
    # As a file has it.
    c.sdk_submit(token=f"{c.token}\n")
