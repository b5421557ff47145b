// A whole life by the generated client: what a program does with Ebb, against a node that runs.
import * as ebb from "./client";

const QUEUE = "clients-typescript";
const config = new ebb.Configuration({ basePath: process.argv[2] });
const jobs = new ebb.JobsApi(config);
const queues = new ebb.QueuesApi(config);
const operations = new ebb.OperationsApi(config);
const schedules = new ebb.SchedulesApi(config);
const policies = new ebb.PoliciesApi(config);
const tokens = new ebb.TokensApi(config);

function check(holds: unknown, what: unknown): asserts holds {
  if (!holds) throw new Error(`not as expected: ${JSON.stringify(what)}`);
}

const report = (more: Partial<ebb.NewJob> = {}): ebb.NewJob => ({
  kind: "report",
  queue: QUEUE,
  payload: { n: 1 },
  ...more,
});

async function submitted(newJob: ebb.NewJob): Promise<string> {
  const receipt = await jobs.submitJob({ newJob });
  check(receipt.id, receipt);
  return receipt.id;
}

async function submits() {
  const newJob = report({ uniqueKey: `order-${Date.now()}`, labels: { shop: "42" } });
  const first = await jobs.submitJob({ newJob });
  check(first.state === "available" && first.deduplicated === undefined, first);
  const again = await jobs.submitJob({ newJob });
  check(again.id === first.id && again.deduplicated && again.labels?.shop === "42", again);
  let refused: unknown;
  try {
    await jobs.submitJob({ newJob: { ...newJob, onDuplicate: "reject" } });
  } catch (error) {
    refused = error;
  }
  check(refused instanceof ebb.ResponseError && refused.response.status === 409, refused);
  const problem: ebb.Problem = ebb.ProblemFromJSON(await refused.response.json());
  check(problem.code === "unique_key_taken", problem);
  const read = await jobs.getJob({ id: first.id });
  check(read.kind === "report" && read.runAt instanceof Date, read);
  const policy = await jobs.getJob({ id: await submitted(report({ policy: "svix" })) });
  check((policy.policy?.steps?.length ?? 0) > 3, policy);
  const slots = await jobs.getJob({ id: await submitted(report({ policy: { jitter: "slots", slot: "PT0.05S" } })) });
  check(slots.policy?.slot === "PT0.05S", slots);
}

async function previews() {
  const preview = await jobs.previewJob({ newJob: report({ policy: "sip" }) });
  check(preview.attempts.length === preview.maxAttempts && preview.giveUp.median.startsWith("PT"), preview);
  const batch = await jobs.previewBatch({ batch: { jobs: [report(), report()] } });
  check(batch.valid && batch.items.length === 2, batch);
}

async function batches() {
  const whole = await jobs.submitBatch({ batch: { jobs: [report(), report()] } });
  check(whole.items.length === 2 && whole.items.every((item) => item.id), whole);
  const broken = report({ delay: "PT1S", runAt: new Date() });
  const some = await jobs.submitBatch({ batch: { atomic: false, jobs: [report(), broken] } });
  check(some.items[0].id && some.items[1].problem?.code === "invalid_input", some);
  const list = await jobs.listJobs({ state: ["available", "held"], queue: [QUEUE], limit: 5 });
  check(list.items.length === 5 && list.nextCursor, list);
}

async function verbs() {
  const id = await submitted(report({ delay: "PT1H" }));
  check((await jobs.retryJob({ id })).id === id, id);
  check((await jobs.holdJob({ id })).phase === "held", id);
  check((await jobs.releaseJob({ id })).phase === "available", id);
  await jobs.noteJob({ id, newNote: { note: "called the merchant" } });
  check((await jobs.patchJob({ id, ifMatch: "*", jobPatch: { priority: 0 } })).priority === 0, id);
  check((await jobs.cloneJob({ id, cloneRequest: { delay: "PT1H" } })).id !== id, id);
  check((await jobs.cancelJob({ id })).state === "cancelled", id);
  await jobs.erasePayload({ id });
}

async function queue() {
  const name = `${QUEUE}-limited`;
  const rateLimit = { permitsPerSecond: 50, warmUp: "PT2M" };
  check((await queues.putQueue({ queue: name, queueSettings: { paused: false, rateLimit } })).configured, name);
  check((await queues.pauseQueue({ queue: name })).paused, name);
  check(!(await queues.resumeQueue({ queue: name })).paused, name);
  check((await queues.warmUpQueue({ queue: name })).phase === "cold", name);
  await queues.previewLimiter({ queue: name, limiterPreviewRequest: { rateLimit } });
  check((await queues.purgeQueue({ queue: name, purgeRequest: { confirm: name } })).remaining === 0, name);
  await queues.deleteQueue({ queue: name, ifMatch: "*" });
}

// Deliveries to an address that none may reach die at once.
async function redrive() {
  const dying: ebb.NewJob = { kind: "http", queue: QUEUE, payload: { url: "http://127.0.0.1:1/" } };
  const ids = [await submitted(dying), await submitted(dying), await submitted(dying)];
  for (const id of ids) {
    check((await jobs.getJob({ id, wait: "PT30S" })).state === "dead_letter", id);
  }
  check((await jobs.redriveJob({ id: ids[2] })).id === ids[2], ids);
  await jobs.getJob({ id: ids[2], wait: "PT30S" });
  const newOperation: ebb.NewOperation = { action: "redrive", ids, stages: [1], stopOnFailureRatio: 1 };
  check((await operations.previewOperation({ newOperation })).matched === 3, ids);
  const begun = await operations.startOperation({ newOperation });
  check(begun.id && begun.stages?.length === 1, begun);
  const ended = await operations.getOperation({ id: begun.id, wait: "PT60S" });
  check(ended.state === "completed" && ended.done === 3, ended);
  check((await operations.listStageItems({ id: begun.id })).items.length === 1, ended);
  const report = await operations.reportOperation({ id: begun.id });
  check((await report.text()).includes(ids[0]), ended);
  const hold = await operations.startOperation({ newOperation: { action: "hold", filter: { key: "none" } } });
  check(hold.id, hold);
}

async function schedule() {
  const named = { schedule: QUEUE };
  const job = { kind: "report", queue: QUEUE, payload: null };
  const made = await schedules.putSchedule({ ...named, scheduleSettings: { cron: "0 9 * * 1-5", job } });
  check(made.nextFireAt instanceof Date, made);
  check((await schedules.pauseSchedule(named)).paused, named);
  check(!(await schedules.resumeSchedule(named)).paused, named);
  check((await schedules.runSchedule(named)).jobId, named);
  check((await schedules.listFires(named)).items.length === 1, named);
  const preview = await schedules.previewSchedule({ schedulePreviewRequest: { every: "PT10M" } });
  check(preview.fires.length === 10, preview);
  await schedules.deleteSchedule({ ...named, ifMatch: "*" });
}

async function policy() {
  const named = { policy: QUEUE };
  const slots: ebb.Policy = { jitter: "slots", slot: "PT1S" };
  check((await policies.putPolicy({ ...named, policySettings: { policy: slots } })).policy.slot === "PT1S", named);
  const preview = await policies.previewPolicy({ policyPreviewRequest: { policy: QUEUE } });
  check(preview.attempts.length > 1, preview);
  await policies.deletePolicy({ ...named, ifMatch: "*" });
}

async function token() {
  const viewer = await tokens.createToken({ newToken: { name: "typescript viewer", role: "viewer" } });
  check(viewer.token?.startsWith("ebb_"), viewer.name);
  const scoped = await tokens.createToken({
    newToken: { name: "typescript scoped", scopes: ["jobs:submit"], lifetime: "PT1H" },
  });
  check((await tokens.listTokens()).items.length >= 2, scoped.id);
  check((await tokens.revokeToken({ id: scoped.id })).revokedAt, scoped.id);
  await tokens.revokeToken({ id: viewer.id });
  check((await tokens.getMe()).scopes.includes("jobs:read"), "me");
}

async function reads() {
  const stats = new ebb.StatsApi(config);
  const system = new ebb.SystemApi(config);
  check((await stats.getStatsOverview({ queue: QUEUE })).items.length === 1, QUEUE);
  check((await stats.getForecast()).minutes.length === 60, "forecast");
  check((await system.getDatabase()).findings.length > 0, "database");
  check((await system.ready()).status === "ready", "ready");
  check((await (await system.metrics()).text()).includes("ebb_jobs_submitted_total"), "metrics");
}

async function main() {
  for (const part of [submits, previews, batches, verbs, queue, redrive, schedule, policy, token, reads]) {
    await part();
  }
  console.log("typescript: a whole life");
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
