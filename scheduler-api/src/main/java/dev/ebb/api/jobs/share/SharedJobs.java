package dev.ebb.api.jobs.share;

import dev.ebb.api.access.OpenRequests;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.JobResource;
import dev.ebb.contract.SharedAttempt;
import dev.ebb.contract.SharedJob;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.WebhookId;
import dev.ebb.db.access.JobLink;
import dev.ebb.db.access.JobLinks;
import dev.ebb.db.view.AttemptView;
import dev.ebb.db.view.JobHistory;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Tells the story of a job to whoever has a live link to it. */
public final class SharedJobs {
  /** The path below which links are. */
  public static final String PATH = "/share";

  private static final int MOST_ATTEMPTS = 50;

  /** The phases in which the job waits for an attempt that will come by itself. */
  private static final Set<String> WAITING = Set.of("scheduled", "retrying", "available");

  /** What a handler says otherwise may name classes and hosts. */
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  private final JobLinks links;
  private final JobReads reads;
  private final OpenRequests open;

  SharedJobs(JobLinks links, JobReads reads, OpenRequests open) {
    this.links = links;
    this.reads = reads;
    this.open = open;
  }

  /**
   * The story; empty alike for a text that is no link, one that has ended, and a job that is gone.
   *
   * @throws dev.ebb.api.problem.Refusal if the sender asks too often
   */
  public Optional<SharedJob> find(String text, InetAddress sender) throws SQLException {
    open.charge(sender);
    JobLink link = links.find(text).orElse(null);
    return link == null
        ? Optional.empty()
        : reads.latest(link.jobId(), MOST_ATTEMPTS + 1).map(history -> story(history, link));
  }

  private static SharedJob story(JobHistory history, JobLink link) {
    JobView job = history.job();
    String phase = JobResource.phase(job, history.at());
    List<AttemptView> all = history.attempts().attempts();
    boolean earlier = all.size() > MOST_ATTEMPTS;
    List<AttemptView> shown = earlier ? all.subList(all.size() - MOST_ATTEMPTS, all.size()) : all;
    return new SharedJob(
        WebhookId.of(job.id()),
        phase,
        Answer.shown(job.times().createdAt()),
        Answer.shownOrNull(job.times().endedAt()),
        WAITING.contains(phase) ? Answer.shown(job.times().runAt()) : null,
        word(job.deadReason()),
        Answer.shownOrNull(history.erasedAt()),
        shown.stream().map(SharedJobs::attempt).toList(),
        earlier,
        Answer.shownOrNull(history.attempts().goneBefore()),
        Answer.shown(history.at()),
        Answer.shown(link.expiresAt()));
  }

  private static SharedAttempt attempt(AttemptView attempt) {
    JsonNode record = record(attempt.detail());
    JsonNode status = record.at("/response/status");
    Failure failure = attempt.error();
    Instant ended = attempt.endedAt();
    return new SharedAttempt(
        attempt.number(),
        Answer.shown(attempt.startedAt()),
        Answer.shownOrNull(ended),
        attempt.outcome(),
        status.isInt() ? status.intValue() : null,
        failure == null ? null : word(failure.reason()),
        Excerpt.of(record));
  }

  /** What a delivery recorded; what another handler did is its own business. */
  private static JsonNode record(@Nullable String detail) {
    try {
      JsonNode record = detail == null ? null : JsonMapper.shared().readTree(detail);
      return record != null && record.at("/request/method").isString()
          ? record
          : MissingNode.getInstance();
    } catch (JacksonException notJson) {
      return MissingNode.getInstance();
    }
  }

  private static @Nullable String word(@Nullable String reason) {
    return reason == null || WORD.matcher(reason).matches() ? reason : "error";
  }
}
