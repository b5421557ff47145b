// Drives the TypeScript SDK as the conformance suite says.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const built =
  process.env.EBB_TYPESCRIPT ?? new URL("../../typescript/dist/index.js", import.meta.url).pathname;
const ebb = await import(pathToFileURL(built).href);

const workers = new Map();
const runs = new Map();
const ends = new Map();

const write = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);

function error(thrown) {
  return thrown instanceof ebb.Refused
    ? {
        status: thrown.status,
        type: thrown.type,
        code: thrown.code,
        field: thrown.field,
        place: thrown.place,
        message: thrown.message,
      }
    : { key: thrown.idempotencyKey, message: String(thrown) };
}

const millis = (seconds) => (seconds === undefined ? undefined : seconds * 1000);

function outcome(told) {
  switch (told.outcome) {
    case "completed":
      return told.result;
    case "throws":
      throw told.message === undefined ? Object.create(null) : new TypeError(told.message);
    case "failed":
      throw new ebb.Failed(told.reason, told.message);
    case "fatal":
      throw new ebb.Fatal(told.reason, told.message);
    case "throttled":
      return new ebb.Throttled(told.reason, told.message, millis(told.retryAfter));
    case "not_ready":
      return new ebb.NotReady(millis(told.delay));
    case "cancelled":
      return new ebb.Cancelled();
    default:
      return new ebb.GivenBack();
  }
}

/** Waits to be told how the run ends; unless it is stubborn, it also ends where it is to stop. */
function toldEnd(run, asked) {
  return new Promise((end, stop) => {
    ends.set(run.id, (told) => {
      try {
        end(outcome(told));
      } catch (thrown) {
        stop(thrown);
      }
    });
    run.signal.addEventListener("abort", () => {
      write({ event: "told", worker: asked.worker, id: run.id, why: run.why });
      if (!asked.stubborn) {
        stop(run.signal.reason);
      }
    });
  });
}

async function handle(run, asked) {
  const { id, kind, attempt, labels, traceparent, payloadText: payload } = run;
  runs.set(id, run);
  const ended = asked.outcome ? undefined : toldEnd(run, asked);
  write({ event: "run", worker: asked.worker, id, kind, attempt, labels, traceparent, payload });
  return ended ?? outcome(asked.outcome);
}

const job = ({ payload, delay, timeout, ...same }) => ({
  ...same,
  payload: new ebb.Json(payload),
  delayMs: millis(delay),
  timeoutMs: millis(timeout),
});

const client = ({ url, token, patience }) =>
  new ebb.Ebb(url, { token, patienceMs: millis(patience) });

const commands = {
  hello: () => ({ client: ebb.CLIENT }),
  submit: ({ url, token, patience, n, do: _, ...asked }) => {
    const { kind, payload, ...options } = job(asked);
    return client({ url, token, patience }).submit(kind, payload, options);
  },
  submit_many: async (asked) => ({ jobs: await client(asked).submitMany(asked.jobs.map(job)) }),
  progress: ({ id, percent, message }) => {
    runs.get(id).progress({ percent, message });
    return {};
  },
  work: (asked) => {
    const { worker: name, queues, kinds, slots, lease, wait, grace } = asked;
    const options = { slots, leaseMs: millis(lease), waitMs: millis(wait) };
    const worker = client(asked).worker(name, queues, options);
    kinds.forEach((kind) => worker.on(kind, (run) => handle(run, asked)));
    workers.set(name, { worker, graceMs: millis(grace) });
    worker.run().then(
      () => write({ event: "end", worker: name }),
      (thrown) => write({ event: "end", worker: name, error: error(thrown) }),
    );
    return { name: worker.name };
  },
  end: ({ id, outcome: told }) => {
    ends.get(id)(told);
    return {};
  },
  stop: async ({ worker: name }) => {
    const { worker, graceMs } = workers.get(name);
    await worker.stop(graceMs);
    return {};
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  Promise.resolve()
    .then(() => commands[asked.do](asked))
    .then(
      (ok) => write({ n: asked.n, ok }),
      (thrown) => write({ n: asked.n, error: error(thrown) }),
    );
}
