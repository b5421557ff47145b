package dev.ebb.db.settle;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.FollowUp;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.connection.SqlStates;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.FollowUpsJson;
import dev.ebb.db.submit.Submit;
import dev.ebb.db.submit.Submitted;
import dev.ebb.db.submit.Untold;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Submits what follows jobs that end, in the transaction that ends them: both are committed, or
 * neither.
 *
 * <pre>
 *   locked behind the fence ──▶ submitted ──▶ noted in the first job's row ──▶ that job ends
 *                                   │ refused: noted instead; no other job's end waits for it
 * </pre>
 *
 * <p>A plan that was carried out or refused is none any more: whatever becomes of the job later, it
 * is not carried out again.
 */
final class FollowUpJobs {
  private static final Logger LOG = LoggerFactory.getLogger(FollowUpJobs.class);

  private static final String NOTE =
      """
      update ebb.job j
      set follow_ups = t.follow_ups::jsonb
      from unnest(?::uuid[], ?::integer[], ?::text[]) as t (id, version, follow_ups)
      where j.id = any (?)
        and j.id = t.id
        and j.version = t.version -- fence
      """;

  /** A job that ends, and what is planned to follow. */
  record Ending(FinishedAttempt settled, FollowUps followUps, FollowUp.@Nullable Planned due) {
    static Ending of(FinishedAttempt settled, FollowUps followUps) {
      return new Ending(settled, followUps, followUps.due(settled.settlement()));
    }

    private NewJob job(FollowUp.Planned planned) {
      String payload = FollowUpsJson.payload(planned, answer());
      return planned.job().toBuilder().payload(payload).then(FollowUps.of(settled.jobId())).build();
    }

    /** How the job ended, in the words of {@code GET /v1/jobs/ID}. */
    private ObjectNode answer() {
      ObjectNode answer = JsonMapper.shared().createObjectNode();
      answer.put("job", settled.jobId().toString());
      if (settled.settlement() instanceof Settlement.DeadLetter dead) {
        answer.put("state", JobState.DEAD_LETTER.word()).put("deadReason", dead.reason());
        answer
            .putObject("lastError")
            .put("reason", dead.failure().reason())
            .put("message", dead.failure().message());
        return answer;
      }
      answer.put("state", JobState.COMPLETED.word());
      JsonNode result =
          settled.detail() == null
              ? null
              : JsonMapper.shared().readTree(settled.detail()).get("result");
      if (result != null) {
        answer.set("result", result);
      }
      return answer;
    }

    private Noted noted(FollowUp became) {
      return new Noted(settled, followUps.after(settled.settlement(), became));
    }
  }

  /** What is to stand in the row of the first job. */
  private record Noted(FinishedAttempt settled, FollowUps followUps) {
    private String text() {
      return settled.settlement() instanceof Settlement.Complete
          ? FollowUpsJson.ended(followUps)
          : FollowUpsJson.write(followUps).toString();
    }
  }

  private final Connection connection;
  private final boolean waits;
  private final List<FinishedAttempt> left = new ArrayList<>();

  /**
   * For one batch.
   *
   * @param waits whether a unique key that somebody else is writing is waited for; otherwise the
   *     jobs that are followed by such jobs are left
   */
  FollowUpJobs(Connection connection, boolean waits) {
    this.connection = connection;
    this.waits = waits;
  }

  /** The jobs that must not be settled now. */
  List<FinishedAttempt> left() {
    return left;
  }

  /** Submits what follows, and notes it. */
  void submit(List<Ending> endings) throws SQLException {
    List<Noted> noted = new ArrayList<>();
    List<Ending> planned = new ArrayList<>();
    List<NewJob> jobs = new ArrayList<>();
    for (Ending ending : endings) {
      FollowUp.Planned due = ending.due();
      if (due == null) {
        noted.add(new Noted(ending.settled(), ending.followUps()));
        continue;
      }
      try {
        jobs.add(ending.job(due));
        planned.add(ending);
      } catch (InvalidInput refused) {
        noted.add(refused(ending, refused.field() + " " + refused.rule()));
      }
    }
    noted.addAll(submitted(planned, Untold.lookedFor(jobs)));
    note(noted);
  }

  private List<Noted> submitted(List<Ending> endings, List<NewJob> jobs) throws SQLException {
    if (jobs.isEmpty()) {
      return List.of();
    }
    Savepoint before = connection.setSavepoint();
    List<Submitted> submitted;
    try {
      submitted = Submit.store(connection, jobs);
    } catch (SQLException e) {
      if (!SqlStates.isOfTheRows(e) && (waits || !SqlStates.isLocked(e))) {
        throw e;
      }
      connection.rollback(before);
      return jobs.size() == 1 ? refused(endings.getFirst(), e) : oneByOne(endings, jobs);
    }
    List<Noted> noted = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      noted.add(endings.get(i).noted(new FollowUp.Submitted(submitted.get(i).id())));
    }
    return noted;
  }

  private List<Noted> oneByOne(List<Ending> endings, List<NewJob> jobs) throws SQLException {
    List<Noted> noted = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      noted.addAll(submitted(List.of(endings.get(i)), List.of(jobs.get(i))));
    }
    return noted;
  }

  private List<Noted> refused(Ending ending, SQLException why) {
    if (SqlStates.isLocked(why)) {
      left.add(ending.settled());
      return List.of();
    }
    return List.of(refused(ending, SqlStates.words(why)));
  }

  private static Noted refused(Ending ending, String why) {
    LOG.warn("what should follow job {} is refused: {}", ending.settled().jobId(), why);
    return ending.noted(new FollowUp.Refused(why));
  }

  private void note(List<Noted> noted) throws SQLException {
    if (!noted.isEmpty()) {
      Statements.run(
          connection,
          NOTE,
          p ->
              p.columns(noted)
                  .ids(one -> one.settled().jobId())
                  .ints(one -> one.settled().claimed().version())
                  .text(Noted::text)
                  .ids(one -> one.settled().jobId()));
    }
  }
}
