"""How jobs come to workers: cases 1 to 7."""

import hashlib
import json
import time

from case import COMPLETED, case, must, settled
from proxy import Lose

POLLS = "/v1/leases"


@case(1, "claim")
def claim(c):
    client = c.sdk.call("hello")["client"]
    job = c.submit({"order": 9981}, labels={"order": "9981"}, timeout="PT30S")
    name = c.work(slots=3)

    run = c.ran(job, worker=c.worker, kind="paid", attempt=1)
    must(json.loads(run["payload"]) == {"order": 9981}, f"the payload is {run['payload']}")
    must(run["labels"] == {"order": "9981"}, f"the labels are {run['labels']}")
    must(c.shown(job)["state"] == "running", "the job does not run")
    node = c.api.get(f"/v1/nodes/{name}")
    shown = (node["version"], node["concurrency"], node["kinds"])
    must(shown == (client, 3, ["paid"]), f"the worker is shown as {shown}")

    c.end(job, {"outcome": "completed", "result": {"booking": "B7"}})
    ended = c.until_state(job, "completed")
    must(ended["result"] == {"booking": "B7"}, f"the result is {ended.get('result')}")
    must("tookMs" in c.result(job), "the result does not say how long it took")


@case(2, "64 jobs, and 4 MiB of payloads")
def many(c):
    payload = "€" * 21_800
    jobs = [job for _ in range(2) for job in c.submit_many(35, payload)]
    c.work(slots=70)

    c.sdk.event("run", count=70)
    asked = [one.json()["max"] for one in c.proxy.of(POLLS) if one.status == 200]
    must(asked == [64, 6], f"asked for {asked}, with 70 slots for 70 jobs")
    must(len(c.proxy.of(POLLS, answered=False)) == 2, "polled without a free slot")
    sums = {hashlib.sha256(run["payload"].encode()).hexdigest() for run in c.sdk.all("run")}
    must(
        sums == {hashlib.sha256(f'"{payload}"'.encode()).hexdigest()},
        "a payload is not as it was submitted",
    )

    for job in jobs:
        c.end(job)
    c.until_completed(len(jobs))


@case(3, "an empty wait")
def empty_wait(c):
    c.work(wait=1)

    c.proxy.await_(
        "three polls that end without a job", POLLS, lambda one: one.status == 204, count=3
    )
    polls = [one for one in c.proxy.of(POLLS) if one.status == 204]
    must(all(one.ended - one.began > 0.9 for one in polls), "a poll did not wait")
    must(
        len({one.json()["requestId"] for one in polls}) == len(polls),
        "two polls have one requestId",
    )
    job = c.submit()
    c.ran(job)


@case(4, "a commit is seen in 1 s", alone=True)
def commit(c):
    c.work(outcome=COMPLETED)
    c.proxy.await_("a poll", POLLS, answered=False)
    session = c.stack.session()
    took = []
    for _ in range(4):
        session.run("begin")
        job = session.run(c.sql_submit())
        session.run("commit")
        committed = time.monotonic()
        took.append(c.ran(job)["at"] - committed)
    session.close()
    # The machine may have stalled once.
    must(min(took) < 1, f"jobs ran {took} s after their commit")


@case(5, "a rollback is never seen")
def rollback(c):
    c.work(outcome=COMPLETED)
    c.proxy.await_("a poll", POLLS, answered=False)
    session = c.stack.session()
    session.run("begin")
    gone = session.run(c.sql_submit())
    session.run("rollback")
    stored = session.run(c.sql_submit())
    session.close()

    c.until_state(stored, "completed")
    must(not c.sdk.all("run", id=gone), "a job that was rolled back ran")
    must(len(c.sdk.all("run")) == 1, "another job ran")


@case(6, "an answer is lost")
def answer_lost(c):
    c.proxy.fault("/v1/jobs", Lose(201))
    stored = c.sdk_submit()
    must_be_stored_once(c, "/v1/jobs", c.queue, [stored])
    c.proxy.fault("/v1/jobs/batch", Lose(201))
    other = f"{c.queue}-batch"
    batch = c.sdk_submit_many({"queue": other}, {"queue": other})
    must_be_stored_once(c, "/v1/jobs/batch", other, batch)

    c.proxy.fault(POLLS, Lose())
    c.work()
    run = c.ran(stored["id"])
    must(run["attempt"] == 1, f"it ran as attempt {run['attempt']}: its first lease was lost")
    first, again = c.proxy.of(POLLS)[:2]
    must(first.lost and first.body == again.body, "the poll was not repeated as it was")
    must(
        json.loads(again.answer)["lease"] == json.loads(first.answer)["lease"],
        "the lease is another",
    )
    c.end(stored["id"])
    c.until_state(stored["id"], "completed")
    must(len(c.sdk.all("run")) == 1, "the job ran twice")


def must_be_stored_once(c, path, queue, answered):
    tries = c.proxy.of(path)
    keys = {one.headers.get("idempotency-key") for one in tries}
    must(
        len(tries) == 2 and len(keys) == 1 and None not in keys,
        f"submitted {len(tries)} times, with the keys {keys}",
    )
    ids = c.stack.sql(
        f"select string_agg(id::text, ' ' order by id) from ebb.job where queue = '{queue}'"
    )
    must(ids == " ".join(sorted(one["id"] for one in answered)), f"stored {ids}, told {answered}")


@case(7, "a client is gone while it waits")
def gone(c):
    c.work(lease=5)
    c.proxy.await_("a poll", POLLS, answered=False)
    c.sdk.kill()
    job = c.submit()

    sdk = c.another_sdk()
    name = c.work(sdk, worker=c.worker + "-b", outcome=COMPLETED)
    c.until_state(job, "completed")
    must(len(sdk.all("run", id=job)) == 1, "the job ran twice")
    done = c.proxy.await_(
        "the job is settled", "/v1/leases/settle", lambda one: settled(one, "settled", job)
    )
    must(done.json()["worker"] == name, "another settled it")
