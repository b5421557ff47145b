"""What a case works with: names of its own, an adapter, a proxy, and the server behind it."""

import itertools
import json

from proxy import Proxy
from sdk import Sdk
from stack import Broken, until

CASES = []
ALONE = set()
# For so many seconds a copy that breaks the rule is waited for, by the number.
BRIEFLY = {}
# So that a failed job is due again soon.
SOON = {"jitter": "none", "base": "PT0.1S", "cap": "PT0.1S"}
COMPLETED = {"outcome": "completed"}
_NUMBERS = itertools.count(1)


def case(number, name, alone=False, brief=12):
    """Marks the function that checks a rule; one about a time runs before the others."""

    def marked(check):
        CASES.append((number, name, check))
        BRIEFLY[number] = brief
        if alone:
            ALONE.add(number)
        return check

    return marked


def must(holds, what):
    if not holds:
        raise Broken(what)


class Case:
    """One case with one SDK."""

    def __init__(self, stack, token, command):
        number = next(_NUMBERS)
        self.stack, self.api, self.token, self._command = stack, stack.admin, token, command
        self.queue, self.worker = f"queue-{number}", f"worker-{number}"
        self.proxy = Proxy(stack.admin.url)
        self._sdks = []
        self.sdk = self.another_sdk()

    def another_sdk(self):
        self._sdks.append(Sdk(self._command))
        return self._sdks[-1]

    def close(self):
        for sdk in self._sdks:
            sdk.close()
        self.proxy.close()

    def check_sent(self):
        """An older server refuses fields that it does not know."""
        unknown = {f"{one.path} {field}" for one in self.proxy.all() for field in one.unknown()}
        must(not unknown, f"sent fields that revision 1 has not: {sorted(unknown)}")

    # Jobs.

    def submit(self, payload=None, **fields):
        """Submits without the SDK."""
        return self.api.post("/v1/jobs", self.job(payload, **fields))["id"]

    def job(self, payload=None, **fields):
        return {"kind": "paid", "queue": self.queue, "payload": payload, "policy": SOON, **fields}

    def submit_many(self, count, payload=None, **fields):
        items = self.api.post(
            "/v1/jobs/batch", {"jobs": [self.job(payload, **fields) for _ in range(count)]}
        )["items"]
        return [item["id"] for item in items]

    def shown(self, job):
        return self.api.get(f"/v1/jobs/{job}")

    def until_state(self, job, state):
        until(
            f"job is {state}, and not {self.shown(job)['state']}",
            lambda: self.shown(job)["state"] == state,
        )
        return self.shown(job)

    def until_outcome(self, job, attempt, outcome):
        """Until an attempt has that outcome."""

        def found():
            attempts = self.api.get(f"/v1/jobs/{job}/attempts")["items"]
            return next(
                (
                    one
                    for one in attempts
                    if (one["number"], one.get("outcome")) == (attempt, outcome)
                ),
                None,
            )

        return until(f"attempt {attempt} is {outcome}", found)

    def until_completed(self, count, seconds=None):
        """Until so many jobs of the queue are."""
        ended = (
            f"select count(*) from ebb.every_history where queue = '{self.queue}' and not cancelled"
        )
        until(f"{count} jobs are completed", lambda: self.stack.sql(ended) == str(count), seconds)

    def sql_submit(self):
        return f"select id from ebb.submit('paid', '{{}}', queue => '{self.queue}')"

    def expire(self, lease):
        """As if nobody had renewed it."""
        self.stack.sql(
            f"update ebb.lease set expires_at = now() - interval '1 s' where id = {lease}"
        )

    # The SDK.

    def work(self, sdk=None, **more):
        """Starts a worker, and answers the name that the server knows it by. Its handlers wait to
        be told how they end, unless there is an `outcome`.
        """
        asked = {
            "url": self.proxy.url,
            "token": self.token,
            "worker": self.worker,
            "queues": [self.queue],
            "kinds": ["paid"],
            "slots": 4,
            "lease": 15,
            "wait": 20,
            "grace": 20,
        }
        return (sdk or self.sdk).call("work", **{**asked, **more})["name"]

    def sdk_submit(self, payload="{}", **more):
        asked = {
            "url": self.proxy.url,
            "token": self.token,
            "kind": "paid",
            "queue": self.queue,
            "payload": payload,
        }
        return self.sdk.call("submit", **{**asked, **more})

    def sdk_submit_many(self, *jobs):
        """Submits jobs with such fields together; an answer for each."""
        common = {"kind": "paid", "queue": self.queue, "payload": "{}"}
        asked = [{**common, **job} for job in jobs]
        return self.sdk.call("submit_many", url=self.proxy.url, token=self.token, jobs=asked)[
            "jobs"
        ]

    def end(self, job, outcome=COMPLETED, sdk=None):
        (sdk or self.sdk).call("end", id=job, outcome=outcome)

    def ran(self, job, sdk=None, **fields):
        return (sdk or self.sdk).event("run", id=job, **fields)

    def lease_of(self, job):
        """The answer in which a job came."""
        such = self.proxy.await_("the lease of the job", "/v1/leases", lambda one: holds(one, job))
        return json.loads(such.answer)

    def results(self, job):
        """The results that were sent of a job, of answered requests."""
        sent = [
            result for one in self.proxy.of("/v1/leases/settle") for result in one.json()["results"]
        ]
        return [result for result in sent if result["id"] == job]

    def result(self, job):
        """The first result of a job, once the request that has it is answered: what became of the
        job may be seen before.
        """
        self.proxy.await_(
            "a result",
            "/v1/leases/settle",
            lambda one: any(result["id"] == job for result in one.json()["results"]),
        )
        return self.results(job)[0]

    def until_settled(self, what, part, job):
        """Waits until an answer to a settle names the job in that part; what it says of it."""
        such = self.proxy.await_(what, "/v1/leases/settle", lambda one: settled(one, part, job))
        return settled(such, part, job)

    def token_for(self, *queues):
        more = {"queues": list(queues)} if queues else {}
        return self.api.post(
            "/v1/tokens", {"name": f"token-{next(_NUMBERS)}", "role": "worker", **more}
        )["token"]


def until_over(c, job):
    """Until the lease in which a job came would be over, had nobody renewed it."""
    over = f"select now() > '{c.lease_of(job)['expiresAt']}'"
    until("the lease would be over", lambda: c.stack.sql(over) == "t")


def holds(poll, job):
    return poll.status == 200 and job in poll.answer


def settled(exchange, part, job):
    if exchange.status != 200:
        return None
    return next((one for one in json.loads(exchange.answer)[part] if one["id"] == job), None)
