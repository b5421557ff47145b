package dev.ebb.api.events;

import dev.ebb.api.http.Answer;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a stream is to be sent next, in the format of server-sent events (the HTML standard, 9.2).
 * It does not grow beyond a bound: many events of jobs become sums, and many changes a reset.
 */
final class Outbox {
  /** How many events of a sort are told each for itself. */
  static final int MOST = 100;

  private final List<News> jobs = new ArrayList<>();
  private final List<News> changes = new ArrayList<>();
  private @Nullable JobSums sums;
  private boolean isShared;
  private @Nullable String first;
  private @Nullable String id;

  boolean isEmpty() {
    return first == null && jobs.isEmpty() && changes.isEmpty() && sums == null;
  }

  void add(News news) {
    switch (news.event()) {
      case JobEvent job -> addJob(news, job);
      case ChangeEvent change -> addChange(news, change.at());
    }
  }

  /** Adds what other streams are told as well. */
  void addAll(FilteredNews news) {
    news.changes().forEach(one -> addChange(one, one.event().at()));
    if (sums == null && jobs.size() + news.jobs().size() <= MOST) {
      jobs.addAll(news.jobs());
    } else if (sums == null && jobs.isEmpty()) {
      sums = news.sums();
      isShared = true;
    } else if (!news.jobs().isEmpty()) {
      ownSums().addAll(news.sums());
    }
  }

  private void addJob(News news, JobEvent job) {
    if (sums == null && jobs.size() < MOST) {
      jobs.add(news);
    } else {
      ownSums().add(job);
    }
  }

  /** Sums to which can be added, of all that is here. */
  private JobSums ownSums() {
    JobSums before = sums;
    if (before != null && !isShared) {
      return before;
    }
    JobSums own = new JobSums();
    if (before != null) {
      own.addAll(before);
    }
    for (News job : jobs) {
      own.add((JobEvent) job.event());
    }
    jobs.clear();
    sums = own;
    isShared = false;
    return own;
  }

  private void addChange(News news, Instant at) {
    if (changes.size() < MOST) {
      changes.add(news);
    } else {
      reset("too_many", at);
    }
  }

  /** The stream tells everything from here on. */
  void ready(boolean resumed, Instant at) {
    first = block("ready", json(Map.of("resumed", resumed, "at", Answer.shown(at))));
  }

  /** What came before is not told: the client has to read anew what it shows. */
  void reset(String reason, Instant at) {
    jobs.clear();
    changes.clear();
    sums = null;
    isShared = false;
    first = block("reset", json(Map.of("reason", reason, "at", Answer.shown(at))));
  }

  /** The id by which the client can come back to where all that is here has been told. */
  void mark(String id) {
    this.id = id;
  }

  /** Takes all that is to be sent; the last event has the id. */
  String take() {
    StringBuilder text = new StringBuilder();
    if (first != null) {
      text.append(first).append('\n');
    }
    changes.forEach(change -> text.append(block("change", change.json())).append('\n'));
    jobs.forEach(job -> text.append(block("job", job.json())).append('\n'));
    if (sums != null) {
      text.append(block("jobs", sums.json())).append('\n');
    }
    first = null;
    changes.clear();
    jobs.clear();
    sums = null;
    isShared = false;
    return marked(text);
  }

  /** An id without an event is kept by clients all the same. */
  private String marked(StringBuilder text) {
    if (id != null) {
      boolean alone = text.isEmpty();
      text.insert(alone ? 0 : text.length() - 1, "id: " + id + "\n" + (alone ? "\n" : ""));
      id = null;
    }
    return text.toString();
  }

  /** How far the view is behind, while the database is away. */
  static String lag(Duration age) {
    return block("lag", json(Map.of("age", age.truncatedTo(ChronoUnit.SECONDS).toString()))) + "\n";
  }

  private static String block(String event, String json) {
    return "event: " + event + "\ndata: " + json + "\n";
  }

  private static String json(Object body) {
    return new String(Answer.bytes(body), StandardCharsets.UTF_8);
  }
}
