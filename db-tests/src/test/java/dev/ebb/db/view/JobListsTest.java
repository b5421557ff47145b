package dev.ebb.db.view;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.ebb.contract.JobCount;
import dev.ebb.core.failure.ErrorPattern;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.errors.ErrorGroups;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which jobs a filter lets through, wherever they are. */
class JobListsTest {
  private static final Map<String, UUID> JOBS = new TreeMap<>();

  /** Of the job that is dead. */
  private static final UUID GROUP =
      ErrorPattern.of("http_500", "Read timed out").group(Bench.QUEUE, "echo");

  private static Bench bench;

  @BeforeAll
  static void fill() throws SQLException {
    bench = new Bench();
    put("done", job("{\"n\":\"in history\"}").labels(Map.of("m", "x")).uniqueKey("done"));
    bench.complete(bench.claimOne());
    put("cancelled", job("1"));
    bench.changes.act(id("cancelled"), new JobAction.Cancel(), Bench.ACT);
    put("dead", job("{\"card\":\"4111\"}").labels(Map.of("m", "x", "r", "100%")));
    fail(new Settlement.DeadLetter("attempts_used_up", new Failure("http_500", "Read timed out")));
    new ErrorGroups(bench.database).groupNew();
    put("retrying", job("{\"card\":\"4242\"}"));
    fail(new Settlement.Retry(Duration.ofHours(1), new Failure("refused", "50% of_it \\ broke")));
    put("running", job("1"));
    bench.claimOne();
    put("scheduled", job("1").delay(Duration.ofDays(1)).uniqueKey("Later-1"));
    put("http", NewJob.builder("http", delivery()).queue("other"));
    put("text", NewJob.builder("http", "\"no object\"").queue("other"));
    put("nul", NewJob.builder("http", "{\"body\":\"\\u0000 sought\"}").queue("other"));
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  private static UUID id(String name) {
    return requireNonNull(JOBS.get(name));
  }

  private static NewJob.Builder job(String payload) {
    return NewJob.builder("echo", payload);
  }

  private static String delivery() {
    return "{\"url\":\"https://example.com/?token=sought\",\"headers\":{\"Authorization\":"
        + "\"sought\"},\"body\":{\"order\":\"body text\"}}";
  }

  private static void put(String name, NewJob.Builder job) throws SQLException {
    JOBS.put(name, bench.submit(job.build()));
  }

  private static void fail(Settlement settlement) throws SQLException {
    ClaimedJob claimed = bench.claimOne();
    assertThat(bench.settle(claimed, Outcome.failed("failed", "no"), settlement)).isTrue();
  }

  private static JobFilter filter(String query) {
    String named = query.replace("GROUP", GROUP.toString());
    return JobQuery.read(named, new FilterBuilder()).build();
  }

  private static List<String> names(List<JobView> jobs) {
    Map<UUID, String> names = new TreeMap<>();
    JOBS.forEach((name, id) -> names.put(id, name));
    return jobs.stream().map(job -> names.get(job.id())).toList();
  }

  /** Newest first, and counted exactly. */
  @Test
  void the_states_of_jobs_are_told_wherever_they_are() throws SQLException {
    List<UUID> ids = new ArrayList<>(JOBS.values());
    ids.add(UUID.fromString("019f2b1e-7c00-7a10-8000-5d2b8f1c0e11"));
    ids.add(id("done"));

    Map<UUID, JobState> states = bench.reads.states(ids);

    assertThat(states)
        .containsOnlyKeys(JOBS.values())
        .contains(
            entry(id("done"), JobState.COMPLETED),
            entry(id("cancelled"), JobState.CANCELLED),
            entry(id("dead"), JobState.DEAD_LETTER),
            entry(id("retrying"), JobState.AVAILABLE),
            entry(id("running"), JobState.RUNNING),
            entry(id("scheduled"), JobState.AVAILABLE));
    assertThat(bench.reads.states(List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '§',
      textBlock =
          """
          state:due                     | nul text http
          state:scheduled               | scheduled
          state:retrying                | retrying
          state:available               | nul text http scheduled retrying
          state:running                 | running
          state:completed,cancelled     | cancelled done
          state:dead                    | dead
          -state:available              | running dead cancelled done
          queue:other                   | nul text http
          -queue:other state:due        | §§
          kind:http                     | nul text http
          -kind:http -state:dead        | scheduled running retrying cancelled done
          label:m=x                     | dead done
          label:m=x label:r=100%        | dead
          label:m=x -label:r=100%       | done
          label:m=X                     | §§
          -label:m=x state:dead,running | running
          key:done                      | done
          key:later-1                   | §§
          key:Later-1                   | scheduled
          attempts>0                    | running retrying dead done
          attempts<1                    | nul text http scheduled cancelled
          attempts>1                    | §§
          error:"TIMED out"             | dead
          error:http_500                | dead
          error:http_500 error:timed    | dead
          error:http_500 error:refused  | §§
          error:50%                     | retrying
          error:of_it                   | retrying
          error:ofxit                   | §§
          error:"\\\\ broke"            | retrying
          error:%                       | retrying
          -error:refused attempts>0     | running dead done
          group:GROUP                   | dead
          group:GROUP state:due         | §§
          group:GROUP error:refused     | §§
          group:00000000-0000-0000-0000-000000000000 | §§
          LATER                         | scheduled
          100%                          | dead
          other http                    | nul text http
          other -http                   | §§
          payload:4111                  | dead
          payload:card                  | retrying dead
          payload:Card                  | §§
          payload:history               | §§
          payload:"body text"           | http
          payload:sought                | §§
          payload:no                    | §§
          payload.card:4111             | dead
          payload.card:411              | §§
          payload.n:"in history"        | §§
          payload.body.order:"body text" | http
          payload.headers.Authorization:sought | §§
          payload.body.order:"body text" payload.card:4111 | §§
          age<1h state:scheduled        | scheduled
          age>1h                        | §§
          created>=2020-01-01 queue:other | nul text http
          created<2020-01-01            | §§
          ended<1h                      | dead cancelled done
          ended<1h state:dead           | dead
          ended<1h state:due            | §§
          ended>1h                      | §§
          ended>=2020-01-01 group:GROUP | dead
          ended<2020-01-01              | §§
          due<2d state:scheduled        | scheduled
          due>1h state:scheduled        | scheduled
          due>2d                        | §§
          due<1h queue:other            | nul text http
          due>=2020-01-01 queue:other   | nul text http
          due>=9000-01-01               | §§
          created>9000-01-01            | §§
          """)
  void a_filter_lets_through_what_fulfils_every_part(String query, String expected)
      throws SQLException {
    JobPage page = bench.reads.list(filter(query), null, 50);
    JobCount count = bench.reads.count(filter(query));

    assertThat(String.join(" ", names(page.jobs()))).isEqualTo(expected);
    assertThat(page.next()).isNull();
    assertThat(count.count()).isEqualTo(page.jobs().size());
    assertThat(count.exact()).isTrue();
  }

  @Test
  void a_count_tells_how_many_are_in_each_phase() throws SQLException {
    assertThat(bench.reads.count(filter("")).byState())
        .containsOnly(
            entry("due", 3L),
            entry("scheduled", 1L),
            entry("retrying", 1L),
            entry("running", 1L),
            entry("completed", 1L),
            entry("cancelled", 1L),
            entry("dead_letter", 1L));
  }

  @Test
  void an_id_is_a_free_word() throws SQLException {
    String id = id("dead").toString();

    assertThat(names(bench.reads.list(filter(id.substring(9)), null, 9).jobs())).contains("dead");
  }

  @Test
  void pages_of_a_filter_show_every_job_once() throws SQLException {
    List<String> shown = new ArrayList<>();
    UUID before = null;
    do {
      JobPage page = bench.reads.list(filter("-kind:http"), before, 2);
      shown.addAll(names(page.jobs()));
      before = page.next();
    } while (before != null);

    assertThat(shown)
        .containsExactly("scheduled", "running", "retrying", "dead", "cancelled", "done");
  }

  @Test
  void pages_from_the_oldest_on_show_the_same_jobs_in_the_other_order() throws SQLException {
    List<String> shown = new ArrayList<>();
    UUID after = null;
    do {
      JobPage page = oldest("-kind:http", after, 2);
      shown.addAll(names(page.jobs()));
      after = page.next();
    } while (after != null);

    assertThat(shown)
        .containsExactly("done", "cancelled", "dead", "retrying", "running", "scheduled");
    assertThat(names(oldest("created>9000-01-01", null, 9).jobs())).isEmpty();
    assertThat(names(oldest("created<2020-01-01", null, 9).jobs())).isEmpty();
    assertThat(names(oldest("created>2020-01-01 queue:other", id("http"), 9).jobs()))
        .containsExactly("text", "nul");
  }

  @Test
  void a_page_from_the_oldest_on_says_how_far_it_looked() throws SQLException {
    JobView newest = bench.reads.find(id("running")).orElseThrow();

    assertThat(oldest("-kind:http state:dead,running", null, 1).looked().farthest())
        .as("of all that were looked at")
        .isAfter(newest.times().createdAt());
    assertThat(oldest("state:dead", null, 9).looked().farthest())
        .isEqualTo(bench.reads.find(id("dead")).orElseThrow().times().createdAt());
  }

  private static JobPage oldest(String query, @Nullable UUID after, int limit) throws SQLException {
    return bench.reads.list(
        filter(query), new JobPage.PageRequest(JobOrder.OLDEST, false, after, limit));
  }

  @ParameterizedTest
  @EnumSource(JobOrder.class)
  void a_page_ends_with_the_payload_that_brings_all_to_the_most(JobOrder order)
      throws SQLException {
    String payload = "\"" + "x".repeat(NewJob.MAX_PAYLOAD_BYTES - 2) + "\"";
    int most = JobReads.MOST_PAYLOAD_BYTES / NewJob.MAX_PAYLOAD_BYTES;
    NewJob large = NewJob.builder("echo", payload).queue("large").build();
    bench.jobs.submit(Collections.nCopies(most + 3, large));
    JobFilter filter = filter("queue:large");

    JobPage first = bench.reads.list(filter, new JobPage.PageRequest(order, true, null, 200));
    JobPage rest =
        bench.reads.list(filter, new JobPage.PageRequest(order, true, first.next(), 200));
    JobPage without = bench.reads.list(filter, new JobPage.PageRequest(order, false, null, 200));
    bench.execute("delete from ebb.job where queue = 'large'");

    assertThat(first.jobs()).hasSize(most).extracting(JobView::payload).containsOnly(payload);
    assertThat(rest.jobs()).hasSize(3).doesNotContainAnyElementsOf(first.jobs());
    assertThat(rest.next()).isNull();
    assertThat(without.jobs()).hasSize(most + 3).extracting(JobView::payload).containsOnlyNulls();
  }

  @Test
  void a_page_says_how_far_it_looked() throws SQLException {
    JobPage page = bench.reads.list(filter("state:dead,retrying"), null, 9);
    JobView oldest = bench.reads.find(id("dead")).orElseThrow();

    assertThat(page.looked().farthest()).isEqualTo(oldest.times().createdAt());
    assertThat(page.looked().jobs()).isEqualTo(JOBS.size() - 2);
  }

  @Test
  void a_mark_changes_with_whatever_an_answer_shows_and_ends_with_the_job() throws SQLException {
    UUID id = bench.submit(NewJob.builder("echo", "1").queue("marks").build());
    List<String> marks = new ArrayList<>();
    marks.add(mark(id));
    bench.execute(
        "insert into ebb.lease (queue, node, claimed_at, expires_at, length_micros, job_ids,"
            + " versions, first_priority, last_priority, last_run_at) select queue, 'n', now(),"
            + " now() + interval '1 hour', 3600000000, array[id], array[version], 0, 9, now()"
            + " from ebb.job where queue = 'marks'");
    marks.add(mark(id));
    bench.execute(
        "update ebb.lease set progress = jsonb_build_object('"
            + id
            + "', 1) where queue = 'marks'");
    marks.add(mark(id));
    bench.changes.act(id, new JobAction.Cancel(), Bench.ACT);
    marks.add(mark(id));

    assertThat(marks).doesNotContainNull().doesNotHaveDuplicates();
    assertThat(bench.reads.marks(List.of(id("dead"), id("done")))).isEmpty();
    bench.execute("delete from ebb.lease where queue = 'marks'");
    bench.execute("delete from ebb.job where queue = 'marks'");
  }

  private static String mark(UUID id) throws SQLException {
    return bench.reads.marks(List.of(id)).getOrDefault(id, "none");
  }

  @Test
  void a_standing_says_where_a_job_is_with_its_retries() throws SQLException {
    JobStanding retrying = bench.reads.standing(id("retrying")).orElseThrow();

    assertThat(retrying.running()).isFalse();
    assertThat(retrying.attempts()).isEqualTo(1);
    assertThat(retrying.lastDelay()).isEqualTo(Duration.ofHours(1));
    assertThat(retrying.policy().maxAttempts()).isEqualTo(retrying.maxAttempts());
    assertThat(bench.reads.standing(id("running")).orElseThrow().running()).isTrue();
    assertThat(bench.reads.standing(id("dead"))).isEmpty();
  }
}
