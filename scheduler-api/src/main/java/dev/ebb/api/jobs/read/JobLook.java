package dev.ebb.api.jobs.read;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.Waits;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.api.jobs.JobTag;
import dev.ebb.contract.Hold;
import dev.ebb.contract.Job;
import dev.ebb.core.Durations;
import dev.ebb.db.view.JobView;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/**
 * Answers a look at one job: at once, or when the job has ended or is no longer what the caller
 * knows.
 */
final class JobLook {
  private final JobAnswers answers;
  private final JobWaits waits;
  private final InstantSource clock = InstantSource.system();

  JobLook(JobAnswers answers, JobWaits waits) {
    this.answers = answers;
    this.waits = waits;
  }

  /** The job as it is now, for one caller. */
  private record SeenJob(Job job, Answer answer) {
    private SeenJob(JobView view, Job job) {
      this(job, Answer.ok(job).tagged(bytes -> JobTag.of(view.version(), bytes)));
    }

    private boolean isNews(Conditions known) {
      return job.hasEnded() || (known.noneMatch() != null && !answer.isKnown(known::isKnown));
    }
  }

  /**
   * The answer.
   *
   * @param known what {@code If-None-Match} says
   * @param sender who asks, by the address
   * @param wait how long to wait for news, PT0S to {@link Waits#LONGEST}
   */
  Answer at(UUID id, Caller caller, InetAddress sender, Conditions known, Duration wait)
      throws SQLException, InterruptedException {
    SeenJob seen = look(id, caller);
    if (!wait.isZero() && !seen.isNews(known)) {
      try (Waits<JobView>.Place place = waits.enter(id, sender)) {
        seen = news(id, caller, place, known, wait);
      }
    }
    return seen.answer().unlessKnown(known::isKnown);
  }

  private SeenJob look(UUID id, Caller caller) throws SQLException {
    return seen(answers.view(id), caller);
  }

  private SeenJob seen(JobView view, Caller caller) throws SQLException {
    return new SeenJob(view, answers.whole(view, caller));
  }

  private SeenJob news(
      UUID id, Caller caller, Waits<JobView>.Place place, Conditions known, Duration wait)
      throws SQLException, InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    // The mark is older than what is seen: no change falls between them.
    String mark = place.mark();
    SeenJob seen = look(id, caller);
    while (true) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive() || seen.isNews(known) || !waits.isRunning()) {
        return seen;
      }
      Waits<JobView>.News news = place.await(mark, untilDue(seen.job, left));
      mark = news == null ? place.mark() : news.mark();
      seen =
          news == null
              ? look(id, caller)
              : seen(news.found().orElseThrow(() -> JobAnswers.unknown(id)), caller);
    }
  }

  /**
   * How long the job shows the same without a change, at most: it may come due meanwhile, or its
   * hold may end.
   */
  private Duration untilDue(Job job, Duration most) {
    Instant now = clock.instant();
    Hold hold = job.hold();
    Instant next = hold == null ? job.runAt() : hold.until();
    if (!job.isAvailable() || next == null || !next.isAfter(now)) {
      return most;
    }
    return Durations.min(Duration.between(now, next).plusMillis(1), most);
  }
}
