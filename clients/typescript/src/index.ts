// Submits jobs to Ebb, a distributed job scheduler, and runs them.
export { Ebb, Json } from "./client.js";
export type {
  EbbOptions,
  Job,
  JobOptions,
  RequestOptions,
  SubmitOptions,
  Submitted,
} from "./client.js";
export { EbbError, Refused, Unreachable } from "./errors.js";
export type { Violation } from "./errors.js";
export {
  Cancelled,
  Completed,
  Failed,
  Fatal,
  GivenBack,
  NotReady,
  Outcome,
  Throttled,
} from "./outcomes.js";
export { Stop } from "./run.js";
export type { Handler, Run, Why } from "./run.js";
export { CLIENT, VERSION } from "./version.js";
export type { Worker } from "./worker.js";
export type { WorkerOptions } from "./options.js";
