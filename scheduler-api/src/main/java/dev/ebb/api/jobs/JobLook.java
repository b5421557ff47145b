package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Answer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/**
 * Answers a look at one job: at once, or when the job has ended or is no longer what the caller
 * knows.
 */
final class JobLook {
  static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private final JobAnswers answers;
  private final JobWaits waits;
  private final InstantSource clock = InstantSource.system();

  JobLook(JobAnswers answers, JobWaits waits) {
    this.answers = answers;
    this.waits = waits;
  }

  /** The job as it is now, for one caller. */
  private static final class Seen {
    private final JobResource job;
    private final byte[] json;
    private final JobTag tag;

    private Seen(JobResource job) {
      this.job = job;
      this.json = Answer.bytes(job);
      this.tag = JobTag.of(json);
    }

    private boolean isNews(@Nullable String known) {
      return job.hasEnded() || (known != null && !tag.isKnown(known));
    }

    private ResponseEntity<byte[]> answer(@Nullable String known) {
      return tag.isKnown(known)
          ? ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag(tag.text()).build()
          : Answer.bytes(ResponseEntity.ok().eTag(tag.text()), json);
    }
  }

  /**
   * The answer.
   *
   * @param known what {@code If-None-Match} says, {@code null} if it is absent
   * @param wait how long to wait for news, PT0S to {@link #LONGEST_WAIT}
   */
  ResponseEntity<byte[]> at(UUID id, Caller caller, @Nullable String known, Duration wait)
      throws SQLException, InterruptedException {
    Seen seen = look(id, caller);
    return (wait.isZero() || seen.isNews(known) ? seen : news(id, caller, known, wait))
        .answer(known);
  }

  private Seen look(UUID id, Caller caller) throws SQLException {
    return new Seen(answers.find(id, caller));
  }

  private Seen news(UUID id, Caller caller, @Nullable String known, Duration wait)
      throws SQLException, InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    try (JobWaits.Place place = waits.enter(id)) {
      while (true) {
        // The mark is older than what is seen: no change falls between them.
        String mark = place.mark();
        Seen seen = look(id, caller);
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (!left.isPositive() || seen.isNews(known) || !waits.isRunning()) {
          return seen;
        }
        place.await(mark, untilDue(seen.job, left));
      }
    }
  }

  /**
   * How long the job shows the same without a change, at most: it may come due meanwhile, or its
   * hold may end.
   */
  private Duration untilDue(JobResource job, Duration most) {
    Instant now = clock.instant();
    JobResource.Hold hold = job.hold();
    Instant next = hold == null ? job.runAt() : hold.until();
    if (!job.isAvailable() || next == null || !next.isAfter(now)) {
      return most;
    }
    Duration due = Duration.between(now, next).plusMillis(1);
    return due.compareTo(most) < 0 ? due : most;
  }
}
