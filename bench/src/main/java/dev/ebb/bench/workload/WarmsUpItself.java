package dev.ebb.bench.workload;

/** A workload that warms up at its own pace, before what it measures. */
interface WarmsUpItself extends Workload {
  @Override
  default double warmUp() {
    return 0;
  }
}
