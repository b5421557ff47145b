package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.JobCount;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.action.JobErasure;
import dev.ebb.db.named.Kinds;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.schema.Partitions;
import dev.ebb.db.schema.Retention;
import dev.ebb.db.submit.Submit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By keys and labels jobs are found, for as long as they are kept. */
class TermsTest {
  private static final Map<String, String> RULES =
      Map.of("order", "/body/order", "merchant", "/merchantId");

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static JobFilter filter(String query) {
    return JobQuery.read(query, new FilterBuilder()).build();
  }

  private List<UUID> find(String query, @Nullable UUID after, JobOrder order) throws SQLException {
    JobPage.PageRequest asked = new JobPage.PageRequest(order, false, after, 2);
    return bench.reads.list(filter(query), asked).jobs().stream().map(JobView::id).toList();
  }

  private List<UUID> find(String query) throws SQLException {
    return find(query, null, JobOrder.NEWEST);
  }

  private UUID submit(NewJob.Builder job) throws SQLException {
    return bench.submit(job.build());
  }

  private static NewJob.Builder order(int number) {
    return NewJob.builder("echo", "1")
        .uniqueKey("order-" + number)
        .labels(Map.of("order", "" + number, "merchant", "acme"));
  }

  private void die() throws SQLException {
    Settlement dead = new Settlement.DeadLetter("attempts_used_up", new Failure("http_500", "no"));
    assertThat(bench.settle(bench.claimOne(), Outcome.failed("failed", "no"), dead)).isTrue();
  }

  /** Behind more jobs than a page looks at, in each table. */
  private void bury() throws SQLException {
    bench.execute(
        """
        insert into ebb.history (id, run_at, created_at, attempt, max_attempts, priority, cancelled,
          queue, kind)
        select uuidv7(), now(), now(), 1, 3, 5, false, 'q', 'echo'
        from generate_series(1, 6000)
        """);
    bench.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select now() + interval '1 hour', 3, 5, 'q', 'echo', '1' from generate_series(1, 6000)
        """);
    bench.execute(
        """
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, version, attempt, max_attempts, priority, queue, kind, payload)
        select uuidv7(), 'r', 'f', 'f', now(), 'n', now(), now(), 1, 3, 3, 5, 'q', 'echo', '1'
        from generate_series(1, 6000)
        """);
  }

  @Test
  void a_key_and_a_label_find_their_job_on_the_first_page_in_every_state() throws SQLException {
    UUID done = submit(order(1));
    bench.complete(bench.claimOne());
    UUID dead = submit(order(2));
    die();
    UUID running = submit(order(3));
    bench.claimOne();
    UUID cancelled = submit(order(4));
    bench.changes.act(cancelled, new JobAction.Cancel(), Bench.ACT);
    UUID waits = submit(order(5));
    bury();

    List<UUID> all = List.of(done, dead, running, cancelled, waits);
    List<UUID> byKey = new ArrayList<>();
    List<UUID> byLabel = new ArrayList<>();
    for (int number = 1; number <= 5; number++) {
      byKey.addAll(find("key:order-" + number));
      byLabel.addAll(find("label:merchant=acme label:order=" + number));
    }
    assertThat(byKey).isEqualTo(all);
    assertThat(byLabel).isEqualTo(all);
    assertThat(bench.reads.count(filter("label:merchant=acme")))
        .returns(5L, JobCount::count)
        .returns(true, JobCount::exact);
  }

  @Test
  void an_ordering_key_finds_its_jobs_on_the_first_page_in_every_state() throws SQLException {
    NewJob.Builder keyed = NewJob.builder("echo", "1").orderingKey("ORDER 7");
    UUID done = submit(keyed);
    bench.complete(bench.claimOne());
    UUID dead = submit(keyed);
    die();
    submit(order(7));
    bury();

    assertThat(find("ordering:\"ORDER 7\"")).containsExactly(dead, done);
    assertThat(find("ordering:\"ORDER 7\" state:completed")).containsExactly(done);
    assertThat(find("ordering:\"order 7\"")).isEmpty();
    bench.changes.act(dead, new JobAction.Redrive(true, true), Bench.ACT);
    assertThat(find("ordering:\"ORDER 7\"")).containsExactly(dead, done);
  }

  @Test
  void the_jobs_of_a_term_come_page_by_page_in_either_order() throws SQLException {
    UUID first = submit(order(1));
    bench.complete(bench.claimOne());
    UUID second = submit(order(2));
    UUID third = submit(order(3));
    String query = "label:merchant=acme";

    assertThat(find(query)).containsExactly(third, second);
    assertThat(find(query, second, JobOrder.NEWEST)).containsExactly(first);
    assertThat(find(query, null, JobOrder.OLDEST)).containsExactly(first, second);
    assertThat(find(query, second, JobOrder.OLDEST)).containsExactly(third);
  }

  @Test
  void a_redriven_job_is_found_once() throws SQLException {
    UUID id = submit(order(1));
    die();
    bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT);

    assertThat(find("key:order-1")).containsExactly(id);
    assertThat(bench.reads.count(filter("key:order-1")).count()).isOne();
  }

  @Test
  void the_jobs_of_a_term_are_counted_exactly_up_to_a_thousand() throws SQLException {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      jobs.add(NewJob.builder("echo", "1").labels(Map.of("merchant", "acme")).build());
    }
    Submit.submit(bench.database, jobs);
    bury();

    assertThat(bench.reads.count(filter("label:merchant=acme")))
        .returns(1000L, JobCount::count)
        .returns(true, JobCount::exact);
  }

  @Test
  void the_terms_of_a_day_go_with_it_but_for_those_of_jobs_that_are_still_there()
      throws SQLException {
    bench.execute(
        """
        create table ebb.term_20000101 partition of ebb.term
        for values from (ebb.first_id('2000-01-01Z')) to (ebb.first_id('2000-01-02Z'));
        insert into ebb.job (id, run_at, max_attempts, priority, queue, kind, payload, unique_key)
        select
          ebb.first_id('2000-01-01T12:00Z'::timestamptz + n * interval '1 hour'),
          now(), 3, 5, 'q', 'echo', '1', 'order-' || n
        from generate_series(1, 3) n;
        delete from ebb.job where unique_key = 'order-2'
        """
            .replace("ebb.first_id('2000-01-01Z')", "'00dc6acf-ac00-0000-0000-000000000000'")
            .replace("ebb.first_id('2000-01-02Z')", "'00dc6ff6-0800-0000-0000-000000000000'"));
    Partitions partitions = new Partitions(bench.database);
    while (partitions.roll(Retention.of(14)) != Partitions.Step.DONE) {
      assertThat(bench.count("ebb.every_term")).isPositive();
    }

    assertThat(bench.count("ebb.term")).isZero();
    assertThat(bench.count("ebb.term_kept")).isEqualTo(2);
    assertThat(find("key:order-1")).hasSize(1);
    assertThat(find("key:order-3")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{`merchantId`:`acme`,`body`:{`order`:9981}}    | merchant=acme order=9981",
        "{`merchantId`:`acme`,`body`:`{\\`order\\`:7}`}   | merchant=acme order=7",
        "{`merchantId`:true,`body`:{`order`:{`n`:1}}}   | merchant=true",
        "{`merchantId`:``,`body`:[1]}                   | ''",
        "`text`                                         | ''",
        "[1,2]                                          | ''",
        "{`merchantId`:`a\\u0000`,`body`:{`order`:1}}    | ''",
      })
  void a_queue_takes_labels_from_payloads(String payload, String labels) throws SQLException {
    rules();
    UUID id = submit(NewJob.builder("echo", payload.replace('`', '"')));

    List<String> found = new ArrayList<>();
    new TreeMap<>(bench.reads.find(id).orElseThrow().labels())
        .forEach((name, value) -> found.add(name + "=" + value));
    assertThat(String.join(" ", found)).isEqualTo(labels);
  }

  private void rules() throws SQLException {
    new Queues(bench.database)
        .put(
            Bench.QUEUE,
            new QueueSettings(false, null, null, null, null, null, null, RULES),
            true,
            Bench.ACT);
  }

  @Test
  void the_senders_own_labels_count_and_no_job_has_more_than_sixteen() throws SQLException {
    rules();
    Map<String, String> own = new TreeMap<>(Map.of("order", "mine"));
    for (int i = 1; i < 16; i++) {
      own.put("n" + i, "x");
    }
    String payload = "{\"merchantId\":\"acme\",\"body\":{\"order\":1}}";
    UUID id = submit(NewJob.builder("echo", payload).labels(own));

    assertThat(bench.reads.find(id).orElseThrow().labels()).isEqualTo(own);
  }

  @Test
  void an_order_is_found_when_its_payload_is_gone_and_not_when_it_was_erased() throws SQLException {
    rules();
    String payload = "{\"merchantId\":\"acme\",\"body\":{\"order\":9981}}";
    UUID done = submit(NewJob.builder("echo", payload).labels(Map.of("own", "1")));
    bench.complete(bench.claimOne());
    UUID dead = submit(NewJob.builder("echo", payload));
    die();
    assertThat(find("label:order=9981")).containsExactly(dead, done);

    for (UUID id : List.of(done, dead)) {
      ActionResult erased =
          bench.database.inTransaction(connection -> JobErasure.erase(connection, id, Bench.ACT));
      assertThat(erased).isEqualTo(ActionResult.DONE);
    }

    assertThat(find("label:order=9981")).isEmpty();
    assertThat(find("label:merchant=acme")).isEmpty();
    assertThat(find("label:own=1")).containsExactly(done);
    assertThat(bench.reads.find(dead).orElseThrow().labels()).isEmpty();
  }

  @Test
  void a_payload_that_is_mended_gives_its_labels_anew() throws SQLException {
    rules();
    UUID id = submit(NewJob.builder("echo", "{\"body\":{\"order\":1}}").labels(Map.of("own", "1")));
    NewJob seen =
        NewJob.builder("echo", "{\"body\":{\"order\":2}}")
            .labels(Map.of("own", "1", "order", "1"))
            .maxAttempts(3)
            .build();

    bench.changes.act(id, new JobAction.Patch(seen, 0, 0), Bench.ACT);

    assertThat(find("label:order=1")).isEmpty();
    assertThat(find("label:order=2 label:own=1")).containsExactly(id);
  }

  @Test
  void a_body_that_is_nested_too_deep_gives_no_labels() throws SQLException {
    rules();
    UUID id = submit(NewJob.builder("echo", "{\"body\":\"" + "[".repeat(60_000) + "\"}"));

    assertThat(bench.reads.find(id).orElseThrow().labels()).isEmpty();
  }

  private Map<String, String> labels(UUID id) throws SQLException {
    return new TreeMap<>(bench.reads.find(id).orElseThrow().labels());
  }

  @Test
  void a_kind_gives_labels_where_neither_the_queue_nor_the_sender_does() throws SQLException {
    new Kinds(bench.database)
        .put("echo", Map.of("a", "/kind", "b", "/kind", "c", "/kind"), Bench.ACT, _ -> {});
    new Queues(bench.database)
        .put(
            "ruled",
            new QueueSettings(
                false, null, null, null, null, null, null, Map.of("b", "/queue", "c", "/queue")),
            true,
            Bench.ACT);
    String payload = "{\"kind\":\"k\",\"queue\":\"q\"}";

    UUID ruled = submit(NewJob.builder("echo", payload).queue("ruled").labels(Map.of("c", "own")));
    UUID plain = submit(NewJob.builder("echo", payload));
    UUID other = submit(NewJob.builder("other", payload));

    assertThat(labels(ruled)).isEqualTo(Map.of("a", "k", "b", "q", "c", "own"));
    assertThat(labels(plain)).isEqualTo(Map.of("a", "k", "b", "k", "c", "k"));
    assertThat(labels(other)).isEmpty();
    assertThat(find("label:a=k")).containsExactly(plain, ruled);
  }

  @Test
  void a_payload_that_is_patched_gives_labels_by_the_kind_too() throws SQLException {
    new Kinds(bench.database).put("echo", Map.of("order", "/order"), Bench.ACT, _ -> {});
    UUID id = submit(NewJob.builder("echo", "{\"order\":1}"));

    NewJob seen =
        NewJob.builder("echo", "{\"order\":2}").labels(Map.of("order", "1")).maxAttempts(3).build();
    bench.changes.act(id, new JobAction.Patch(seen, 0, 0), Bench.ACT);

    assertThat(labels(id)).isEqualTo(Map.of("order", "2"));
  }

  @Test
  void a_field_of_a_payload_is_found_in_texts_that_are_json_and_in_lists() throws SQLException {
    submit(NewJob.builder("echo", "{\"body\":\"" + "[".repeat(60_000) + "\"}"));
    UUID text = submit(NewJob.builder("http", "{\"body\":\"{\\\"order\\\":7}\"}"));
    UUID list = submit(NewJob.builder("echo", "{\"body\":{\"items\":[{\"id\":true}]}}"));

    assertThat(find("payload.body.order:7")).containsExactly(text);
    assertThat(find("payload.body.items.0.id:true")).containsExactly(list);
  }

  @Test
  void a_field_of_a_payload_is_looked_for_among_the_jobs_of_a_label() throws SQLException {
    UUID wanted =
        submit(NewJob.builder("echo", "{\"order\":7}").labels(Map.of("merchant", "acme")));
    bury();

    assertThat(find("merchant=acme payload.order:7")).containsExactly(wanted);
  }
}
