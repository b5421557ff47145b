package dev.ebb.db.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.circuit.Ballot;
import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.circuit.Circuit.Phase;
import dev.ebb.core.circuit.CircuitRule;
import dev.ebb.core.circuit.Vote;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.CircuitPass;
import dev.ebb.db.claim.ClaimRequest;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.claim.Lease;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.settings.ClusterSettings;
import dev.ebb.db.settings.ClusterSettings.Chosen;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Circuits as claims, looks and people meet them. */
class CircuitsTest {
  private static final Ballot BAD = new Ballot(0, 0, 20, 0, 0, Set.of(), "http_503");
  private static final Duration HOUR = Duration.ofHours(1);

  private static final String NOTICES =
      """
      select payload::jsonb -> 'body' ->> 'type' as type
      from ebb.job
      where queue = 'operations'
      order by created_at, id
      """;

  private Bench bench;
  private Queues queues;
  private Circuits circuits;

  @BeforeEach
  void start() throws SQLException {
    bench = new Bench();
    queues = new Queues(bench.database);
    circuits = new Circuits(bench.database);
    address("https://acme.example/hook", CircuitRule.DEFAULT);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void address(String url, CircuitRule rule) throws SQLException {
    Destination destination =
        new Destination(URI.create(url), null, Map.of(), ResponseRules.DEFAULT, null, Map.of())
            .with(rule);
    RateLimit limit = RateLimit.of(1_000, Duration.ofMinutes(1), 3);
    QueueSettings settings = new QueueSettings(false, null, limit, null).to(destination);
    var _ = queues.putDestination(Bench.QUEUE, settings, Bench.ACT, _ -> {});
  }

  private void submit(String payload) throws SQLException {
    bench.submit(NewJob.of("http", payload));
  }

  private Optional<Lease> claim(int most) throws SQLException {
    return bench.jobs.claim(
        ClaimRequest.of(Bench.QUEUE, "node", List.of("http"), most, Bench.LEASE));
  }

  private List<String> found() throws SQLException {
    return bench.queuesWithWork("http", null);
  }

  private boolean tell(Ballot ballot) throws SQLException {
    return circuits.tell(Bench.QUEUE, ballot, Duration.ZERO, 0.5).contains(Bench.QUEUE);
  }

  private Circuit circuit() throws SQLException {
    return circuits.find(Bench.QUEUE).orElseThrow().circuit();
  }

  private static CircuitPass pass(ClaimedJob claimed) {
    return Objects.requireNonNull(claimed.pass());
  }

  private static Ballot good(ClaimedJob claimed) {
    return new Ballot(pass(claimed).epoch(), 1, 0, 0, 0, Set.of(), null);
  }

  /** As it is once the time has come: nobody writes the row then. */
  private void letHoldEnd() throws SQLException {
    bench.execute(
        """
        update ebb.circuit
        set held_until = now() - interval '1 second',
          state = jsonb_set(state, '{heldUntil}', to_jsonb(
            to_char((now() - interval '1 second') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
        """);
  }

  @Test
  void what_is_open_is_neither_found_nor_claimed_and_then_one_job_at_a_time() throws SQLException {
    for (int job = 0; job < 3; job++) {
      submit("{\"body\":1}");
    }
    assertThat(found()).containsExactly(Bench.QUEUE);

    assertThat(tell(BAD)).isFalse();

    assertThat(found()).isEmpty();
    assertThat(claim(10)).isEmpty();
    letHoldEnd();
    assertThat(found()).containsExactly(Bench.QUEUE);
    ClaimedJob probe = claim(10).orElseThrow().jobs().getFirst();
    assertThat(pass(probe).isProbe()).isTrue();
    assertThat(claim(10)).isEmpty();
    assertThat(found()).isEmpty();

    assertThat(tell(good(probe))).isTrue();
    assertThat(claim(10).orElseThrow().jobs()).hasSize(1);
  }

  @Test
  void the_limit_warms_up_anew_when_it_closes() throws SQLException {
    tell(BAD);
    for (int probe = 0; probe < 3; probe++) {
      bench.execute("update ebb.limiter set coldness = 0");
      submit("{\"body\":1}");
      letHoldEnd();
      tell(good(claim(10).orElseThrow().jobs().getFirst()));
    }

    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
    assertThat(bench.count("ebb.limiter where coldness = 1")).isEqualTo(1);
    assertThat(bench.count("ebb.audit where action = 'destination.circuit_closed'")).isEqualTo(1);
  }

  @Test
  void a_destination_that_asks_to_wait_is_left_alone_until_people_say_otherwise()
      throws SQLException {
    submit("{\"body\":1}");
    circuits.tell(Bench.QUEUE, Ballot.none(0), Duration.ofMinutes(2), 0.5);
    assertThat(found()).isEmpty();
    assertThat(claim(1)).isEmpty();
    assertThat(circuits.troubled(10)).hasSize(1);

    assertThat(circuits.probe(Bench.QUEUE, Bench.ACT)).isTrue();

    assertThat(found()).containsExactly(Bench.QUEUE);
    assertThat(claim(1)).isPresent();
    assertThat(circuits.troubled(10)).isEmpty();
  }

  @Test
  void what_is_held_or_turned_off_takes_no_place_of_what_is_open() throws SQLException {
    tell(BAD);
    bench.execute(
        """
        insert into ebb.queue (name, destination)
        select
          name,
          jsonb_build_object(
            'url', 'https://acme.example/', 'circuit', jsonb_build_object('enabled', name <> 'a0'))
        from unnest(array['a0', 'a1']) name;
        insert into ebb.circuit (queue, held_until, state)
        select n.name, now() + interval '1 hour', jsonb_set(c.state, '{phase}', n.phase)
        from ebb.circuit c, (values ('a0', '"OPEN"'::jsonb), ('a1', '"CLOSED"')) n (name, phase)
        """);

    assertThat(circuits.troubled(1)).extracting(CircuitView::queue).containsExactly("a1");
    assertThat(circuits.open(1)).extracting(CircuitView::queue).containsExactly(Bench.QUEUE);
  }

  @Test
  void only_what_goes_to_the_destination_votes() throws SQLException {
    submit("{\"body\":1}");
    submit("{\"url\":\"https://other.example/\"}");

    List<ClaimedJob> jobs = claim(2).orElseThrow().jobs();

    assertThat(jobs).extracting(job -> pass(job).delivers()).containsExactly(true, false);
    assertThat(jobs).extracting(job -> pass(job).awaitsGood()).containsOnly(false);
  }

  @Test
  void a_queue_that_is_no_destination_or_wants_no_circuit_has_none() throws SQLException {
    address("https://acme.example/", off());
    submit("{\"body\":1}");

    assertThat(tell(BAD)).isFalse();

    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
    assertThat(claim(1).orElseThrow().jobs().getFirst().pass()).isNull();
  }

  private static CircuitRule off() {
    CircuitRule usual = CircuitRule.DEFAULT;
    return new CircuitRule(
        false,
        usual.failureRatio(),
        usual.minVotes(),
        usual.failuresInARow(),
        usual.window(),
        usual.openFor(),
        usual.longestOpen(),
        usual.disableAfter(),
        usual.probesToClose());
  }

  @Test
  void an_open_one_that_is_turned_off_or_deleted_keeps_nothing() throws SQLException {
    tell(BAD);
    long epoch = circuit().epoch();
    submit("{\"body\":1}");
    address("https://acme.example/hook", off());
    assertThat(claim(1)).isPresent();
    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
    assertThat(circuit().epoch()).isGreaterThan(epoch);
    bench.execute("delete from ebb.lease; delete from ebb.job");

    queues.remove(Bench.QUEUE, Bench.ACT, _ -> {});
    assertThat(bench.count("ebb.circuit")).isZero();
  }

  @Test
  void the_row_of_a_queue_that_is_no_destination_any_more_keeps_nothing() throws SQLException {
    tell(BAD);
    submit("{\"body\":1}");
    bench.execute("update ebb.queue set destination = null");

    assertThat(found()).containsExactly(Bench.QUEUE);
    assertThat(claim(1)).isPresent();
  }

  @Test
  void what_is_no_address_and_no_rule_changes_nothing() throws SQLException {
    tell(BAD);
    Circuit before = circuit();
    Destination destination =
        new Destination(
            URI.create("https://acme.example/hook"),
            null,
            Map.of("x-shop", "7"),
            ResponseRules.DEFAULT,
            HOUR,
            Map.of("merchant", "acme"));
    var _ =
        queues.putDestination(
            Bench.QUEUE, QueueSettings.of(false, null).to(destination), Bench.ACT, _ -> {});

    assertThat(circuit()).isEqualTo(before);
  }

  @Test
  void another_address_is_tried_at_once_and_other_settings_leave_it_open() throws SQLException {
    submit("{\"body\":1}");
    tell(BAD);
    queues.put(Bench.QUEUE, new QueueSettings(false, null, null, 5), true, Bench.ACT);
    assertThat(claim(1)).isEmpty();

    address("https://new.acme.example/hook", CircuitRule.DEFAULT);

    assertThat(claim(1)).isPresent();
    assertThat(circuit().phase()).isEqualTo(Phase.HALF_OPEN);
  }

  @Test
  void a_job_whose_deadline_passed_while_it_was_open_still_gets_an_attempt() throws SQLException {
    RetryPolicy day =
        new RetryPolicy(
            new Backoff.None(new Growth(Duration.ofMinutes(1), 1, Duration.ofMinutes(1))),
            3,
            Duration.ofHours(24),
            Map.of());
    bench.submit(NewJob.builder("http", "{\"body\":1}").policy(day).build());
    tell(BAD);
    bench.execute(
        """
        update ebb.job
        set created_at = now() - interval '60 hours', run_at = now() - interval '60 hours'
        """);
    letHoldEnd();

    ClaimedJob probe = claim(1).orElseThrow().jobs().getFirst();

    assertThat(probe.job().mayStart(Instant.now().plusSeconds(5))).isTrue();
    assertThat(probe.job().attempt()).isEqualTo(1);
    assertThat(probe.job().mayStart(Instant.now().plus(HOUR))).isFalse();
  }

  /** As it is so much later: nobody writes the row then. */
  private void letOutageLast(String length) throws SQLException {
    bench.execute(
        """
        update ebb.circuit
        set state = jsonb_set(state, '{outage,since}', to_jsonb(
          to_char((now() - interval '%s') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
        """
            .formatted(length));
    letHoldEnd();
  }

  private void failAProbe() throws SQLException {
    submit("{\"body\":1}");
    ClaimedJob probe = claim(1).orElseThrow().jobs().getFirst();
    tell(new Ballot(pass(probe).epoch(), 0, 1, 0, 0, Set.of(), "http_503"));
  }

  private void noticesGoTo(String queue) throws SQLException {
    Destination operations =
        new Destination(
            URI.create("https://operations.example/"),
            null,
            Map.of(),
            ResponseRules.DEFAULT,
            null,
            Map.of());
    var _ =
        queues.putDestination(
            queue, QueueSettings.of(false, null).to(operations), Bench.ACT, _ -> {});
    var _ =
        new ClusterSettings(bench.database)
            .change(before -> new Chosen(before.subject(), queue), Bench.ACT, _ -> {});
  }

  private List<String> notices() throws SQLException {
    return bench.database.inAutocommit(
        connection -> Statements.list(connection, NOTICES, _ -> {}, row -> row.getString("type")));
  }

  @Test
  void people_are_told_once_after_1_24_and_72_hours_when_it_is_disabled_and_when_it_recovers()
      throws SQLException {
    noticesGoTo("operations");
    tell(BAD);
    for (String length : List.of("59 minutes", "61 minutes", "2 hours", "25 hours", "73 hours")) {
      letOutageLast(length);
      failAProbe();
    }
    assertThat(notices())
        .containsExactly("destination.failing", "destination.failing", "destination.failing");
    letOutageLast("121 hours");
    failAProbe();
    letHoldEnd();
    failAProbe();
    assertThat(notices()).hasSize(4).endsWith("destination.disabled");

    for (int probe = 0; probe < 3; probe++) {
      letHoldEnd();
      submit("{\"body\":1}");
      tell(good(claim(1).orElseThrow().jobs().getFirst()));
    }

    assertThat(circuit().phase()).isEqualTo(Phase.CLOSED);
    assertThat(notices()).hasSize(5).endsWith("destination.recovered");
  }

  @Test
  void people_who_were_told_of_a_failing_one_are_told_that_another_rule_ended_it()
      throws SQLException {
    noticesGoTo("operations");
    tell(BAD);
    letOutageLast("61 minutes");
    failAProbe();

    address("https://new.acme.example/hook", CircuitRule.DEFAULT);
    assertThat(notices()).containsExactly("destination.failing");

    address("https://new.acme.example/hook", off());
    assertThat(notices()).containsExactly("destination.failing", "destination.recovered");
  }

  @Test
  void nobody_is_told_of_a_short_outage_that_another_rule_ended() throws SQLException {
    noticesGoTo("operations");
    tell(BAD);

    address("https://acme.example/hook", off());

    assertThat(notices()).isEmpty();
  }

  @Test
  void a_destination_that_says_it_is_gone_is_disabled_and_keeps_its_jobs() throws SQLException {
    noticesGoTo("operations");
    submit("{\"body\":1}");
    ClaimedJob last = claim(1).orElseThrow().jobs().getFirst();
    submit("{\"body\":1}");

    tell(Ballot.of(pass(last).epoch(), Vote.GONE, last.job().id(), "http_410"));

    assertThat(circuit().phase()).isEqualTo(Phase.DISABLED);
    assertThat(notices()).containsExactly("destination.disabled");
    assertThat(claim(1)).isEmpty();
    submit("{\"body\":1}");
    assertThat(bench.count("ebb.audit where action = 'destination.disabled'")).isEqualTo(1);

    assertThat(circuits.enable(Bench.QUEUE, Bench.ACT)).containsExactly(Bench.QUEUE, "operations");

    assertThat(notices()).hasSize(2).endsWith("destination.recovered");
    assertThat(circuit().outage()).isNull();
    assertThat(claim(5)).isPresent();
    assertThat(circuits.enable(Bench.QUEUE, Bench.ACT)).isEmpty();
  }

  @Test
  void a_notice_without_a_slot_is_kept_with_the_change_and_waits_for_nobody() throws SQLException {
    noticesGoTo("operations");
    tell(BAD);
    letOutageLast("61 minutes");
    try (Connection other = TestPostgres.connect(bench.config)) {
      other.setAutoCommit(false);
      Statements.run(other, "select from ebb.notice_slot for update", _ -> {});
      failAProbe();
    }

    assertThat(notices()).isEmpty();
    assertThat(
            bench.count(
                "ebb.notice_rest where queue = '"
                    + Bench.QUEUE
                    + "' and type = 'destination.failing'"
                    + " and reason = 'http_503' and dead = 0"))
        .isOne();
  }

  @Test
  void a_request_to_wait_that_answers_an_older_attempt_holds_nothing() throws SQLException {
    submit("{\"body\":1}");
    long early = circuit().epoch();
    tell(BAD);
    var _ = circuits.enable(Bench.QUEUE, Bench.ACT);

    circuits.tell(Bench.QUEUE, Ballot.none(early), HOUR, 0.5);

    assertThat(claim(1)).isPresent();
  }

  @Test
  void the_destination_of_notices_is_told_of_others_alone() throws SQLException {
    noticesGoTo("operations");
    var _ =
        new ClusterSettings(bench.database)
            .change(before -> new Chosen(before.subject(), Bench.QUEUE), Bench.ACT, _ -> {});
    tell(BAD);
    letOutageLast("61 minutes");
    failAProbe();

    assertThat(bench.count("ebb.job where labels ->> 'notice' is not null")).isZero();
  }

  @Test
  void ten_thousand_circuits_cost_a_claim_of_one_queue_nothing() throws SQLException {
    submit("{\"body\":1}");
    bench.execute(
        """
        insert into ebb.circuit (queue, held_until, state)
        select 'queue-' || n, now() + interval '1 hour', '{"phase": "OPEN"}'
        from generate_series(1, 10000) n
        """);
    bench.execute("analyze ebb.circuit");
    bench.countBlocks();
    claim(1);
    submit("{\"body\":1}");
    bench.resetBlocks();

    claim(1);

    assertThat(bench.blocks("%ebb.lease%")).isLessThan(200);
  }
}
