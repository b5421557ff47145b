package dev.ebb.cron;

import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** What each trigger starts: a look at the schedules that are due. */
final class FireJob implements Job {
  private final Runnable look;

  FireJob(Runnable look) {
    this.look = look;
  }

  @Override
  public void execute(JobExecutionContext context) {
    look.run();
  }
}
