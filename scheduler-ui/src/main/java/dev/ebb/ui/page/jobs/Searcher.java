package dev.ebb.ui.page.jobs;

import dev.ebb.api.inside.Reply;
import dev.ebb.contract.Job;
import dev.ebb.contract.JobList;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.words.Url;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Carries searches on: page after page of the API, for about a second a request. Only so many go at
 * that pace in a process; the others look at one page a request.
 */
final class Searcher {
  private static final Duration REQUEST = Duration.ofSeconds(1);

  /** Each is a request of its reader's quota, and a statement. */
  private static final int MOST_PAGES = 20;

  private static final int AT_A_TIME = 2;

  private final Semaphore fast = new Semaphore(AT_A_TIME);

  /** What a request found, and how far the search has come. */
  record Found(List<Job> jobs, SearchProgress progress) {}

  Found search(Page page, @Nullable String q, SearchProgress from) {
    SearchProgress known = from.oldest() == null ? from.withOldest(oldest(page)) : from;
    if (known.stopped() || known.isAtEnd()) {
      return new Found(List.of(), known);
    }
    boolean mayRun = fast.tryAcquire();
    try {
      return pages(page, q, known, mayRun ? MOST_PAGES : 1);
    } finally {
      if (mayRun) {
        fast.release();
      }
    }
  }

  private static Found pages(Page page, @Nullable String q, SearchProgress from, int most) {
    List<Job> jobs = new ArrayList<>();
    SearchProgress progress = from;
    long begun = System.nanoTime();
    long taken = 0;
    for (int pages = 0; pages < most && taken < REQUEST.toNanos(); pages++) {
      int room = SearchProgress.ENOUGH - jobs.size();
      Reply reply =
          page.ask(
              Url.of(
                  "/v1/jobs",
                  "q",
                  q,
                  "cursor",
                  progress.cursor(),
                  "limit",
                  Integer.toString(room)));
      if (!reply.isOk()) {
        return new Found(jobs, progress.failed(Objects.requireNonNull(reply.problem())));
      }
      JobList list = Page.read(reply, JobList.class);
      jobs.addAll(list.items());
      long now = System.nanoTime() - begun;
      progress = progress.and(list, Duration.ofNanos(now - taken));
      taken = now;
      if (progress.isAtEnd() || jobs.size() >= SearchProgress.ENOUGH || !progress.goesOn()) {
        break;
      }
    }
    return new Found(jobs, progress);
  }

  private static @Nullable Instant oldest(Page page) {
    Reply reply = page.ask("/v1/jobs?sort=createdAt&limit=1");
    return reply.isOk()
        ? Page.read(reply, JobList.class).items().stream()
            .map(Job::createdAt)
            .findFirst()
            .orElse(null)
        : null;
  }
}
