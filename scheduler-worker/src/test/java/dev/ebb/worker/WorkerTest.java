package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Proof;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The worker's promises, with a handler whose fate each test chooses. */
class WorkerTest {
  private WorkerBench bench;

  @BeforeEach
  void open() {
    bench = new WorkerBench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_submitted_job_runs_once_and_completes() throws Exception {
    List<String> seen = new ArrayList<>();
    bench.start(context -> {
      seen.add(context.job().payload());
      context.record("{\"note\":\"kept\"}");
      return Outcome.completed();
    });

    UUID id = bench.submit("{\"n\": 7}");

    bench.awaitState(id, JobState.COMPLETED);
    assertThat(seen).containsExactly("{\"n\": 7}");
    assertThat(bench.attempts(id))
        .singleElement()
        .extracting(AttemptView::outcome, AttemptView::detail)
        .containsExactly("completed", "{\"note\":\"kept\"}");
  }

  @Test
  void a_job_that_keeps_failing_is_a_dead_letter_with_its_reason_and_a_redrive_runs_it_again()
      throws Exception {
    AtomicBoolean mended = new AtomicBoolean();
    bench.start(
        _ -> mended.get() ? Outcome.completed() : Outcome.failed("http_500", "server said no"));

    UUID id = bench.submit("{}");
    bench.awaitState(id, JobState.DEAD_LETTER);

    JobView dead = bench.view(id);
    assertThat(dead.deadReason()).isEqualTo(Settlement.ATTEMPTS_USED_UP);
    assertThat(dead.lastError()).isEqualTo(new Failure("http_500", "server said no"));
    assertThat(bench.attempts(id)).extracting(AttemptView::number).containsExactly(1, 2, 3);
    mended.set(true);
    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    bench.awaitState(id, JobState.COMPLETED);
  }

  @Test
  void a_thrown_exception_is_a_failed_attempt() throws Exception {
    bench.start(_ -> {
      throw new IllegalStateException("boom\u0000", new IllegalArgumentException("why"));
    });

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.DEAD_LETTER);
    assertThat(bench.view(id).lastError())
        .isEqualTo(
            new Failure(
                "exception",
                "IllegalStateException: boom\uFFFD, caused by IllegalArgumentException: why"));
  }

  @Test
  void a_handler_that_returns_nothing_or_throws_the_unspeakable_fails_its_attempt()
      throws Exception {
    bench.start(context -> {
      if (context.job().attempt() == 1) {
        return unspecified();
      }
      throw new IllegalStateException("hidden") {
        @Override
        public String getMessage() {
          throw new UnsupportedOperationException("no message");
        }
      };
    });

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.DEAD_LETTER);
    assertThat(bench.attempts(id)).hasSize(3);
    assertThat(bench.count("ebb.lease")).isZero();
  }

  @SuppressWarnings("NullAway")
  private static Outcome unspecified() {
    return null;
  }

  @Test
  void a_fatal_outcome_is_a_dead_letter_at_the_first_attempt() throws Exception {
    bench.start(_ -> Outcome.fatal("http_410", "gone"));

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.DEAD_LETTER);
    assertThat(bench.view(id).deadReason()).isEqualTo("http_410");
    assertThat(bench.attempts(id)).hasSize(1);
  }

  @Test
  void a_job_that_is_not_ready_is_asked_again_and_spends_no_attempt() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    bench.start(_ ->
        asked.incrementAndGet() < 5
            ? new Outcome.NotReady(Duration.ofMillis(1))
            : Outcome.completed());

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.COMPLETED);
    assertThat(asked).hasValue(5);
    assertThat(bench.view(id).attempt()).isOne();
  }

  @Test
  void an_attempt_that_outlasts_its_timeout_is_interrupted_and_failed() throws Exception {
    bench.start(context -> {
      new CountDownLatch(1).await();
      return Outcome.completed();
    });

    UUID id =
        bench.submit(
            NewJob.builder(WorkerBench.KIND, "{}")
                .timeout(Duration.ofMillis(100))
                .maxAttempts(1)
                .build());

    bench.awaitState(id, JobState.DEAD_LETTER);
    assertThat(bench.view(id).lastError()).extracting("reason").isEqualTo(Failure.TIMEOUT);
  }

  @Test
  void a_handler_that_ignores_its_timeout_is_settled_without_it() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    bench.start(context -> {
      awaitUninterruptibly(release);
      return Outcome.completed();
    });

    UUID id =
        bench.submit(
            NewJob.builder(WorkerBench.KIND, "{}")
                .timeout(Duration.ofMillis(50))
                .maxAttempts(1)
                .build());

    bench.awaitState(id, JobState.DEAD_LETTER);
    release.countDown();
    assertThat(bench.view(id).lastError()).extracting("reason").isEqualTo(Failure.TIMEOUT);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // The point of this handler.
      }
    }
  }

  @Test
  void a_cancelled_running_job_is_interrupted_and_stays_cancelled() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    bench.start(context -> {
      started.countDown();
      new CountDownLatch(1).await();
      return Outcome.completed();
    });
    UUID id = bench.submit("{}");
    started.await();

    assertThat(bench.changes.act(id, new JobAction.Cancel(), Bench.ACT))
        .isEqualTo(ActionResult.REQUESTED);
    try (Notifier notifier = bench.notifier()) {
      notifier.cancelRequested();
      bench.awaitState(id, JobState.CANCELLED);
    }
    assertThat(bench.attempts(id))
        .singleElement()
        .extracting(AttemptView::outcome)
        .isEqualTo("cancelled");
  }

  @Test
  @Proof
  void a_job_five_leases_long_runs_once() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Handler handler =
        context -> {
          runs.incrementAndGet();
          new CountDownLatch(1).await(10, TimeUnit.SECONDS);
          return Outcome.completed();
        };
    WorkerConfig settings = WorkerBench.settings().withLease(Duration.ofSeconds(2));
    bench.start(settings.withNode("a"), handler);
    bench.start(settings.withNode("b"), handler);

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.COMPLETED);
    assertThat(runs).hasValue(1);
    assertThat(bench.attempts(id)).hasSize(1);
  }

  private static void runUntilInterrupted(CountDownLatch interrupted) {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.countDown();
    }
  }

  @Test
  void a_lost_lease_interrupts_the_handler_and_its_settle_is_refused() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    bench.start(
        WorkerBench.settings().withLease(Duration.ofSeconds(1)),
        context -> {
          started.countDown();
          runUntilInterrupted(interrupted);
          return Outcome.completed();
        });
    UUID id = bench.submit("{}");
    started.await();

    bench.execute("update ebb.job set version = version + 1, run_at = now() + interval '1 day'");
    bench.execute("delete from ebb.lease");

    interrupted.await();
    Await.until(
        "the settle is refused", () -> bench.meters.counter("ebb.settles.refused").count() == 1);
    assertThat(bench.view(id).state()).isEqualTo(JobState.AVAILABLE);
  }

  @Test
  void a_job_that_starts_here_again_does_not_hide_its_first_run_whose_lease_is_lost()
      throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Worker worker =
        bench.start(
            WorkerBench.settings().withLease(Duration.ofSeconds(6)),
            _ -> {
              if (first.getCount() == 0) {
                second.countDown();
                return Outcome.completed();
              }
              first.countDown();
              runUntilInterrupted(interrupted);
              return Outcome.completed();
            });
    UUID id = bench.submit("{}");
    first.await();

    bench.execute("delete from ebb.lease");
    second.await();

    interrupted.await();
    bench.awaitState(id, JobState.COMPLETED);
    Await.until("no slot stays taken", () -> worker.running() == 0);
    assertThat(bench.count("ebb.history")).isEqualTo(1);
  }

  @Test
  void a_drain_lets_running_jobs_end_and_claims_no_more() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Worker worker =
        bench.start(
            WorkerBench.settings().withConcurrency(1),
            context -> {
              started.countDown();
              mayEnd.await();
              return Outcome.completed();
            });
    UUID running = bench.submit("{}");
    started.await();
    UUID waiting = bench.submit("{}");

    Thread drain = Thread.ofPlatform().start(worker::close);
    Await.until("the drain has begun", () -> !worker.isHealthy());
    mayEnd.countDown();
    drain.join();

    assertThat(bench.view(running).state()).isEqualTo(JobState.COMPLETED);
    assertThat(bench.view(waiting).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(bench.view(waiting).attempt()).isZero();
    assertThat(bench.count("ebb.lease")).isZero();
  }

  @Test
  void a_drain_gives_back_with_their_attempt_the_jobs_that_do_not_end() throws Exception {
    CountDownLatch started = new CountDownLatch(3);
    Worker worker =
        bench.start(
            WorkerBench.settings().withDrainTimeout(Duration.ofMillis(50)),
            context -> {
              started.countDown();
              new CountDownLatch(1).await();
              return Outcome.completed();
            });
    List<UUID> ids = List.of(bench.submit("1"), bench.submit("2"), bench.submit("3"));
    started.await();

    worker.close();

    for (UUID id : ids) {
      assertThat(bench.view(id).state()).isEqualTo(JobState.AVAILABLE);
      assertThat(bench.view(id).attempt()).isZero();
      assertThat(bench.attempts(id)).extracting(AttemptView::outcome).containsExactly("given_back");
    }
    assertThat(bench.count("ebb.lease")).isZero();
  }

  @Test
  void jobs_of_unknown_kinds_wait_untouched() throws Exception {
    bench.start(_ -> Outcome.completed());
    UUID strange = bench.submit(NewJob.of("strange", "{}"));
    UUID known = bench.submit("{}");

    bench.awaitState(known, JobState.COMPLETED);

    assertThat(bench.view(strange).state()).isEqualTo(JobState.AVAILABLE);
    assertThat(bench.view(strange).attempt()).isZero();
  }

  @Test
  void no_more_jobs_run_at_a_time_than_there_are_slots() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    bench.start(
        WorkerBench.settings().withConcurrency(4).withQueues(List.of(NewJob.DEFAULT_QUEUE)),
        context -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
          running.decrementAndGet();
          return Outcome.completed();
        });

    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      jobs.add(NewJob.of(WorkerBench.KIND, "" + i));
    }
    bench.jobs.submit(jobs);

    Await.until("all are done", () -> bench.count("ebb.history") == 200);
    assertThat(most).hasValue(4);
  }

  @Test
  void a_queue_whose_jobs_do_not_end_leaves_room_for_the_next_and_the_one_after() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger hanging = new AtomicInteger();
    bench.start(
        WorkerBench.settings().withConcurrency(20),
        context -> {
          if (!context.job().queue().equals("healthy")) {
            hanging.incrementAndGet();
            end.await();
          }
          return Outcome.completed();
        });
    for (String queue : List.of("tarpit-1", "tarpit-2")) {
      NewJob job = NewJob.builder(WorkerBench.KIND, "{}").queue(queue).build();
      bench.jobs.submit(Collections.nCopies(30, job));
    }
    Await.until("both hold what they can get", () -> hanging.get() >= 13);

    for (int i = 0; i < 5; i++) {
      UUID id = bench.submit(NewJob.builder(WorkerBench.KIND, "{}").queue("healthy").build());
      bench.awaitState(id, JobState.COMPLETED);
    }

    assertThat(hanging.get()).isLessThanOrEqualTo(15);
    end.countDown();
    Await.until("all have run", () -> bench.count("ebb.history") == 65);
  }

  @Test
  void a_handler_that_gives_its_job_back_is_asked_again_later_and_leaves_no_record_each_time()
      throws Exception {
    AtomicInteger asked = new AtomicInteger();
    bench.start(_ -> asked.incrementAndGet() < 4 ? new Outcome.GivenBack() : Outcome.completed());

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.COMPLETED);
    assertThat(bench.attempts(id)).hasSize(1);
  }

  @Test
  void a_hint_starts_a_job_long_before_the_next_poll() throws Exception {
    WorkerConfig lazy = WorkerBench.settings().withLongestPoll(Duration.ofMinutes(1));
    CountDownLatch started = new CountDownLatch(1);
    bench.start(
        lazy,
        context -> {
          started.countDown();
          return Outcome.completed();
        });
    Await.until(
        "the listener listens",
        () ->
            bench.count(
                    "pg_stat_activity"
                        + " where datname = current_database() and query = 'listen ebb'")
                == 1);

    UUID id = bench.submit("{}");
    try (Notifier notifier = bench.notifier()) {
      notifier.workArrived(NewJob.DEFAULT_QUEUE);
      assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
      bench.awaitState(id, JobState.COMPLETED);
    }
  }

  @Test
  void without_any_notification_the_poller_finds_the_work() throws Exception {
    bench.start(WorkerBench.settings().withListening(false), _ -> Outcome.completed());

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.COMPLETED);
  }

  @Test
  void progress_is_seen_while_the_job_runs() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    bench.start(
        WorkerBench.settings().withLease(Duration.ofSeconds(1)),
        context -> {
          context.progress(40, "half \"way\"");
          mayEnd.await();
          return Outcome.completed();
        });

    UUID id = bench.submit("{}");

    Await.until("progress is shown", () -> bench.view(id).progress() != null);
    assertThat(bench.view(id).progress()).contains("40").contains("half");
    mayEnd.countDown();
    bench.awaitState(id, JobState.COMPLETED);
  }

  @Test
  void what_a_handler_records_cannot_keep_its_job_from_being_settled() throws Exception {
    bench.start(context -> {
      context.record("\u0000 not even text");
      return Outcome.completed();
    });

    UUID id = bench.submit("{}");

    bench.awaitState(id, JobState.COMPLETED);
    assertThat(bench.attempts(id)).singleElement().extracting(AttemptView::detail).isNull();
  }
}
