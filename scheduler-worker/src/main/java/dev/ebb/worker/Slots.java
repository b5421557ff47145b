package dev.ebb.worker;

/** The room for running jobs: so many at a time, and so many bytes of payload. */
final class Slots {
  private final int most;
  private int jobs;
  private long bytes;

  Slots(int jobs, long bytes) {
    this.most = jobs;
    this.jobs = jobs;
    this.bytes = bytes;
  }

  synchronized int freeJobs() {
    return jobs;
  }

  synchronized long freeBytes() {
    return bytes;
  }

  synchronized int taken() {
    return most - jobs;
  }

  synchronized void take(long size) {
    jobs--;
    bytes -= size;
  }

  synchronized void giveBack(long size) {
    jobs++;
    bytes += size;
  }
}
