package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
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
    ClaimRequest request =
        new ClaimRequest(Bench.QUEUE, "node", List.of("http"), 1, 1 << 30, Bench.LEASE);
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
        "http | {\"body\":{\"url\":\"http://shop.example\"}} | none",
        "http | \"http://shop.example\" | none",
        "echo | {\"url\":\"http://shop.example\"} | none"
      })
  void a_destination_is_the_host_of_a_url_that_may_be_called(
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
}
