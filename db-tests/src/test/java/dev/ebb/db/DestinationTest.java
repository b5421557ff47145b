package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.event.Event;
import dev.ebb.db.event.EventLog;
import dev.ebb.db.event.EventNeeds;
import dev.ebb.db.event.EventPosition;
import dev.ebb.db.settings.ClusterSettings;
import dev.ebb.db.settings.ClusterSettings.Chosen;
import dev.ebb.db.view.JobView;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a job's delivery goes, and what the job is about. */
class DestinationTest {
  private static final NewJob DELIVERY =
      NewJob.of("http", "{\"body\": {\"url\": 1}, \"url\": \"https://Pay.Example:8443/hook?a=b\"}");
  private static final String HOST = "pay.example:8443";

  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private JobView view(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow();
  }

  private ClaimedJob claim() throws SQLException {
    ClaimRequest request = ClaimRequest.of(Bench.QUEUE, "node", List.of("http"), 1, Bench.LEASE);
    return bench.jobs.claim(request).orElseThrow().jobs().getFirst();
  }

  private void choose(String label) throws SQLException {
    bench.execute("update ebb.settings set subject = '" + label + "'");
  }

  @Test
  void a_delivery_keeps_its_destination_wherever_its_job_goes() throws SQLException {
    UUID id = bench.submit(DELIVERY);
    assertThat(view(id).destination()).isEqualTo(HOST);

    bench.deadLetter(claim());
    assertThat(view(id).state()).isEqualTo(JobState.DEAD_LETTER);
    assertThat(view(id).destination()).isEqualTo(HOST);

    bench.changes.act(id, new JobAction.Redrive(false, true), Bench.ACT);
    assertThat(view(id).destination()).isEqualTo(HOST);

    bench.complete(claim());
    assertThat(view(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(view(id).destination()).isEqualTo(HOST);
  }

  @Test
  void a_cancelled_delivery_keeps_its_destination() throws SQLException {
    UUID id = bench.submit(DELIVERY);

    bench.changes.act(id, new JobAction.Cancel(), Bench.ACT);

    assertThat(view(id).destination()).isEqualTo(HOST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "http | {\"url\":\"http://Shop.example:80/a\"} | shop.example",
        "http | {\"url\":\"HTTPS://shop.example:443\"} | shop.example",
        "http | {\"url\":\"https://shop.example:80\"} | shop.example:80",
        "http | {\"url\":\"http://[2001:DB8::1]:8080/\"} | [2001:db8::1]:8080",
        "http | {\"url\":\"ftp://shop.example\"} | none",
        "http | {\"url\":\"https://me:secret@shop.example\"} | none",
        "http | {\"url\":7} | none",
        "http | {\"body\":{\"url\":\"http://shop.example\"}} | default",
        "http | \"http://shop.example\" | none",
        "echo | {\"url\":\"http://shop.example\"} | none"
      })
  void a_destination_is_the_host_of_a_url_that_may_be_called_or_else_the_queue(
      String kind, String payload, @Nullable String destination) throws SQLException {
    UUID id = bench.submit(NewJob.of(kind, payload));

    assertThat(view(id).destination()).isEqualTo(destination);
  }

  @Test
  void a_destination_follows_a_changed_payload() throws SQLException {
    UUID id = bench.submit(DELIVERY);
    NewJob other =
        DELIVERY.toBuilder().payload("{\"url\":\"http://other.example\"}").maxAttempts(5).build();

    assertThat(bench.changes.patch(view(id), other, Bench.ACT)).isTrue();

    assertThat(view(id).destination()).isEqualTo("other.example");
  }

  @Test
  void an_erased_payload_takes_the_destination_with_it() throws SQLException {
    UUID dead = bench.submit(DELIVERY);
    bench.deadLetter(claim());
    UUID done = bench.submit(DELIVERY);
    bench.complete(claim());

    bench.changes.erase(dead, Bench.ACT);
    bench.changes.erase(done, Bench.ACT);

    assertThat(view(dead).destination()).isNull();
    assertThat(view(done).destination()).isNull();
  }

  @Test
  void a_subject_is_the_chosen_label_or_else_the_destination() throws SQLException {
    UUID labelled = bench.submit(DELIVERY.toBuilder().labels(Map.of("merchant", "acme")).build());
    UUID empty = bench.submit(DELIVERY.toBuilder().labels(Map.of("merchant", "")).build());
    UUID plain = bench.submit(NewJob.of("echo", "{}"));
    assertThat(view(labelled).subject()).isEqualTo(HOST);

    choose("merchant");

    assertThat(view(labelled).subject()).isEqualTo("acme");
    assertThat(view(empty).subject()).isEqualTo(HOST);
    assertThat(view(plain).subject()).isNull();
  }

  @Test
  void the_chosen_label_counts_for_jobs_that_have_ended() throws SQLException {
    UUID id = bench.submit(DELIVERY.toBuilder().labels(Map.of("merchant", "acme")).build());
    bench.complete(claim());

    choose("merchant");

    assertThat(view(id).subject()).isEqualTo("acme");
  }

  /** Behind more jobs than a page looks at. */
  private void bury() throws SQLException {
    bench.execute(
        """
        insert into ebb.job (run_at, max_attempts, priority, queue, kind, payload)
        select now() + interval '1 hour', 3, 5, 'q', 'echo', '1' from generate_series(1, 6000)
        """);
  }

  private List<UUID> find(String query) throws SQLException {
    JobFilter filter = JobQuery.read(query, new FilterBuilder()).build();
    return bench.reads.list(filter, null, 9).jobs().stream().map(JobView::id).toList();
  }

  @Test
  void a_subject_and_a_destination_find_their_jobs_in_every_state() throws SQLException {
    choose("merchant");
    NewJob labelled = DELIVERY.toBuilder().labels(Map.of("merchant", "a b")).build();
    UUID dead = bench.submit(labelled);
    bench.deadLetter(claim());
    UUID done = bench.submit(labelled);
    bench.complete(claim());
    UUID plain = bench.submit(DELIVERY);
    UUID waits = bench.submit(labelled);
    bench.submit(NewJob.of("echo", "{}"));

    assertThat(find("subject:\"a b\"")).containsExactly(waits, done, dead);
    assertThat(find("subject:\"" + HOST + "\"")).containsExactly(plain);
    assertThat(find("destination:\"PAY.example:8443\"")).containsExactly(waits, plain, done, dead);
    assertThat(find("subject:other")).isEmpty();
  }

  @Test
  void a_subject_that_a_label_tells_is_found_behind_any_number_of_jobs() throws SQLException {
    UUID id = bench.submit(DELIVERY.toBuilder().labels(Map.of("merchant", "acme")).build());
    bury();
    assertThat(find("subject:acme")).isEmpty();

    choose("merchant");

    assertThat(find("subject:acme")).containsExactly(id);
    assertThat(find("subject:acme state:dead")).isEmpty();
  }

  @Test
  void a_host_that_is_also_a_labels_value_is_the_subject_of_jobs_of_either_kind()
      throws SQLException {
    choose("merchant");
    UUID plain = bench.submit(DELIVERY);
    UUID labelled =
        bench.submit(NewJob.builder("echo", "1").labels(Map.of("merchant", HOST)).build());

    assertThat(find("subject:\"" + HOST + "\"")).containsExactly(labelled, plain);
  }

  @Test
  void an_address_of_a_person_is_found_behind_any_number_of_jobs() throws SQLException {
    choose("merchant");
    Map<String, String> ada = Map.of("merchant", "ada@shop.example");
    UUID id = bench.submit(NewJob.builder("echo", "1").labels(ada).build());
    bury();

    assertThat(find("subject:ada@shop.example")).containsExactly(id);
  }

  @Test
  void a_settings_change_is_audited_and_no_settings_are_lost_by_another() throws SQLException {
    ClusterSettings settings = new ClusterSettings(bench.database);

    settings.change(
        _ -> new Chosen("merchant", null),
        Bench.ACT,
        before -> assertThat(before).isEqualTo(new Chosen(null, null)));
    settings.change(
        _ -> new Chosen(null, null),
        Bench.ACT,
        before -> assertThat(before.subject()).isEqualTo("merchant"));

    assertThat(settings.subject()).isEmpty();
    assertThat(bench.count("ebb.audit where action = 'settings.patch'")).isEqualTo(2);
    assertThat(bench.count("ebb.settings")).isOne();
  }

  @Test
  void no_label_that_cannot_be_one_is_chosen() {
    ClusterSettings settings = new ClusterSettings(bench.database);

    assertThatThrownBy(() -> settings.choose("a=b", Bench.ACT)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> settings.change(_ -> new Chosen(null, "nobody"), Bench.ACT, _ -> {}))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("notices");
  }

  @Test
  void an_event_tells_what_its_job_is_about() throws SQLException {
    choose("merchant");
    EventLog log = new EventLog(bench.database);
    log.listen();
    EventPosition start = log.now();
    bench.submit(DELIVERY.toBuilder().labels(Map.of("merchant", "acme")).build());
    bench.complete(claim());
    bench.submit(DELIVERY);
    bench.deadLetter(claim());
    UUID cancelled = bench.submit(DELIVERY);
    bench.changes.act(cancelled, new JobAction.Cancel(), Bench.ACT);

    List<String> subjects =
        log.after(start, new EventNeeds(false, false)).events().stream()
            .filter(Event.JobEvent.class::isInstance)
            .map(event -> ((Event.JobEvent) event).facts().subject())
            .toList();

    assertThat(subjects).containsExactly("acme", HOST, HOST);
  }
}
