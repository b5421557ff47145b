package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.api.LossyProxy.Fate;
import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbProblem;
import dev.ebb.client.EbbUnreachable;
import dev.ebb.client.InvalidJob;
import dev.ebb.client.Job;
import dev.ebb.client.JobKind;
import dev.ebb.client.Submitted;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What an application submits by the client over HTTP. */
class ClientHttpTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final JobKind<Paid> PAID = JobKind.of("paid", Paid.class);
  private static final String JOBS = "/v1/jobs";
  private static final String BATCH = "/v1/jobs/batch";
  private static ApiServer api;

  record Paid(String id, long cents) {}

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static EbbHttp http() {
    return EbbHttp.at(URI.create("http://127.0.0.1:" + api.port() + "/")).build();
  }

  @Test
  void a_job_is_stored_with_every_field() {
    Submitted stored =
        http()
            .submit(
                PAID.job(new Paid("p\"7\u2028", 250))
                    .queue("merchants")
                    .runAt(Instant.parse("9998-01-02T03:04:05.123456789Z"))
                    .priority(2)
                    .policy("svix")
                    .maxAttempts(4)
                    .orderingKey("m")
                    .timeout(Duration.ofNanos(1_500_900_000))
                    .uniqueKey("p-7")
                    .label("shop", "\n\u0001\uD83D\uDE00"));

    JsonNode job = api.get("/v1/jobs/" + stored.id()).json();
    assertThat(job.path("payload").path("id").asString()).isEqualTo("p\"7\u2028");
    assertThat(job.path("queue").asString()).isEqualTo("merchants");
    assertThat(job.path("runAt").asString()).isEqualTo("9998-01-02T03:04:05.123456Z");
    assertThat(job.path("priority").asInt()).isEqualTo(2);
    assertThat(job.path("maxAttempts").asInt()).isEqualTo(4);
    assertThat(job.path("orderingKey").asString()).isEqualTo("m");
    assertThat(job.path("timeout").asString()).isEqualTo("PT1.5S");
    assertThat(job.path("labels").path("shop").asString()).isEqualTo("\n\u0001\uD83D\uDE00");
    assertThat(http().submit(PAID.job(new Paid("", 1)).uniqueKey("p-7")))
        .isEqualTo(new Submitted(stored.id(), true));
  }

  /** The server answers the repeat by the job that the first request stored. */
  @Test
  void a_submit_whose_answer_is_lost_is_repeated_and_stored_once() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      long before = api.stored();
      proxy.next(JOBS, Fate.LOSE_ANSWER, Fate.LOSE_REQUEST, Fate.BUSY, Fate.FAIL);

      Submitted stored = EbbHttp.at(proxy.address()).build().submit(PAID.job(new Paid("a", 1)));

      assertThat(api.stored()).isEqualTo(before + 1);
      assertThat(stored.isDuplicate()).isFalse();
      assertThat(api.get("/v1/jobs/" + stored.id()).status()).isEqualTo(200);
      assertThat(proxy.seen).hasSize(5);
      assertThat(proxy.seen).as("one key, one body").containsOnly(proxy.seen.get(0));
      UUID.fromString(proxy.seen.get(0).key());
    }
  }

  @Test
  void two_submits_have_keys_of_their_own_and_a_callers_key_is_kept() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).build();
      long before = api.stored();
      http.submit(PAID.job(new Paid("a", 1)));
      http.submit(PAID.job(new Paid("a", 1)));
      assertThat(proxy.seen.get(0).key()).isNotEqualTo(proxy.seen.get(1).key());
      assertThat(http.submit(PAID.job(new Paid("a", 1)), "mine"))
          .isEqualTo(http.submit(PAID.job(new Paid("a", 1)), "mine"));
      assertThat(api.stored()).isEqualTo(before + 3);
    }
  }

  @Test
  void patience_ends_and_says_that_nobody_knows() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).patience(Duration.ofMillis(300)).build();
      proxy.cut(true);
      EbbUnreachable away =
          catchThrowableOfType(EbbUnreachable.class, () -> http.submit(PAID.job(new Paid("a", 1))));
      assertThat(away.isRetryable()).isTrue();
      assertThat(proxy.seen).hasSizeGreaterThan(1);

      proxy.cut(false);
      proxy.next(JOBS, Fate.BUSY);
      EbbUnreachable open =
          catchThrowableOfType(EbbUnreachable.class, () -> http.submit(PAID.job(new Paid("a", 1))));
      assertThat(open)
          .cause()
          .isInstanceOfSatisfying(
              EbbProblem.class,
              busy -> {
                assertThat(busy.status()).isEqualTo(503);
                assertThat(busy.isRetryable()).isTrue();
                assertThat(busy.retryAfter()).isEqualTo(Duration.ofSeconds(1));
              });
    }
  }

  @Test
  void who_does_not_know_whether_a_job_is_stored_can_repeat_it_under_its_key() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).build();
      Job<Paid> job = PAID.job(new Paid("a", 1));
      long before = api.stored();
      proxy.next(JOBS, Fate.LOSE_ANSWER, Fate.REFUSE);

      EbbUnreachable open = catchThrowableOfType(EbbUnreachable.class, () -> http.submit(job));

      assertThat(open).hasMessageContaining("413");
      assertThat(api.stored()).isEqualTo(before + 1);
      assertThat(http.submit(job, open.idempotencyKey()).id()).isNotNull();
      assertThat(api.stored()).isEqualTo(before + 1);
    }
  }

  @Test
  void a_refusal_that_holds_for_earlier_tries_too_stays_one() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).build();
      proxy.next(JOBS, Fate.LOSE_ANSWER);

      assertThatThrownBy(() -> http.submit(PAID.job(new Paid("a", 1)).policy("absent")))
          .isInstanceOf(EbbProblem.class);
      assertThat(proxy.seen).hasSize(2);
    }
  }

  @Test
  void an_interrupt_ends_the_repeats_and_is_kept() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).build();
      Thread.currentThread().interrupt();

      assertThatThrownBy(() -> http.submit(PAID.job(new Paid("a", 1))))
          .isInstanceOf(EbbUnreachable.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void a_refusal_names_its_code_and_fields_and_is_not_repeated() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).build();

      EbbProblem refused =
          catchThrowableOfType(
              EbbProblem.class, () -> http.submit(PAID.job(new Paid("a", 1)).policy("absent")));

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.code()).isEqualTo("invalid_input");
      assertThat(refused.errors()).containsOnlyKeys("/policy");
      assertThat(refused.isRetryable()).isFalse();
      assertThat(proxy.seen).hasSize(1);
      assertThatThrownBy(() -> http.submit(JobKind.json("paid").job("{").queue("q")))
          .isInstanceOf(InvalidJob.class);
      assertThat(proxy.seen).as("what the client can tell is not sent").hasSize(1);
    }
  }

  @Test
  void the_jobs_of_a_list_are_stored_together_and_answered_in_their_order() {
    Submitted holder = http().submit(PAID.job(new Paid("b", 1)).uniqueKey("b"));
    long before = api.stored();
    List<Job<?>> jobs =
        List.of(
            PAID.job(new Paid("a", 1)).priority(1),
            PAID.job(new Paid("b", 2)).uniqueKey("b"),
            JobKind.json("note").job("[1.50]"));

    List<Submitted> stored = http().submit(jobs);

    assertThat(api.stored()).isEqualTo(before + 2);
    assertThat(stored).extracting(Submitted::isDuplicate).containsExactly(false, true, false);
    assertThat(stored.get(1).id()).isEqualTo(holder.id());
    assertThat(shown(stored.get(0)).path("priority").asInt()).isOne();
    assertThat(shown(stored.get(2)).path("kind").asString()).isEqualTo("note");
  }

  @Test
  void a_trace_goes_as_the_header_of_its_request_and_those_of_a_list_are_one() {
    Job<Paid> traced = PAID.job(new Paid("a", 1)).queue("traced").traceparent(TRACE);
    Job<Paid> other = traced.traceparent(TRACE.replace("-01", "-00"));

    http().submit(traced);
    http().submit(List.of(traced, traced));

    String inTrace = "ebb.job where queue = 'traced' and traceparent = '" + TRACE + "'";
    assertThat(api.number("select count(*) from " + inTrace)).isEqualTo(3);
    assertThatThrownBy(() -> http().submit(List.of(traced, other)))
        .isInstanceOf(InvalidJob.class)
        .hasMessage("traceparent must be that of the other jobs of the request");
  }

  private static JsonNode shown(Submitted stored) {
    return api.get(JOBS + "/" + stored.id()).json();
  }

  @Test
  void a_list_whose_answer_is_lost_is_repeated_and_stored_once() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).build();
      List<Job<Paid>> jobs = List.of(PAID.job(new Paid("a", 1)), PAID.job(new Paid("a", 1)));
      long before = api.stored();
      proxy.next(BATCH, Fate.LOSE_ANSWER, Fate.LOSE_REQUEST, Fate.BUSY, Fate.LOSE_ANSWER);

      List<Submitted> stored = http.submit(jobs);

      assertThat(api.stored()).isEqualTo(before + 2);
      assertThat(stored).doesNotHaveDuplicates();
      assertThat(stored).extracting(Submitted::isDuplicate).containsExactly(false, false);
      assertThat(proxy.seen).hasSize(5);
      assertThat(proxy.seen).as("one key, one body").containsOnly(proxy.seen.get(0));
      assertThat(http.submit(jobs, "my-list")).isEqualTo(http.submit(jobs, "my-list"));
      assertThat(api.stored()).isEqualTo(before + 4);
    }
  }

  @Test
  void of_a_list_with_a_job_that_breaks_a_rule_nothing_is_stored_and_its_place_is_told()
      throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      EbbHttp http = EbbHttp.at(proxy.address()).build();
      Job<Paid> good = PAID.job(new Paid("a", 1));
      long before = api.stored();

      EbbProblem refused =
          catchThrowableOfType(
              EbbProblem.class, () -> http.submit(List.of(good, good, good.policy("absent"))));

      assertThat(refused.errors()).containsOnlyKeys("/jobs/2/policy");
      assertThat(refused.place()).hasValue(2);
      assertThat(refused.type()).isEqualTo("urn:ebb:problem:invalid_input");
      assertThat(proxy.seen).hasSize(1);
      List<Job<?>> broken = List.of(good, JobKind.json("paid").job("{"));
      assertThat(catchThrowableOfType(InvalidJob.class, () -> http.submit(broken)).place())
          .hasValue(1);
      assertThatThrownBy(() -> http.submit(Collections.nCopies(1001, good)))
          .hasMessage("jobs must be at most 1000");
      assertThat(http.submit(List.of())).isEmpty();
      assertThat(proxy.seen).as("what the client can tell is not sent").hasSize(1);
      assertThat(api.stored()).isEqualTo(before);
    }
  }

  @Test
  void a_submit_is_repeated_with_the_token_that_it_began_with() throws IOException {
    try (LossyProxy proxy = LossyProxy.before(api)) {
      AtomicInteger asked = new AtomicInteger();
      EbbHttp http =
          EbbHttp.at(proxy.address()).token(() -> "token-" + asked.incrementAndGet()).build();
      proxy.next(JOBS, Fate.LOSE_ANSWER);

      http.submit(PAID.job(new Paid("a", 1)));

      assertThat(proxy.seen).hasSize(2);
      assertThat(asked).hasValue(1);
    }
  }

  @Test
  void the_token_is_asked_for_before_each_submit() {
    try (ApiServer closed = ApiServer.on("127.0.0.1")) {
      URI address = URI.create("http://127.0.0.1:" + closed.port());
      Map<String, String> tokens = new HashMap<>(Map.of("token", ApiServer.ADMIN));
      EbbHttp http =
          EbbHttp.at(address).token(() -> tokens.getOrDefault("token", "") + "\n").build();
      http.submit(PAID.job(new Paid("a", 1)));
      tokens.put("token", "another-token-of-at-least-32-chars");

      EbbProblem refused =
          catchThrowableOfType(EbbProblem.class, () -> http.submit(PAID.job(new Paid("a", 1))));

      assertThat(refused.code()).isEqualTo("unauthenticated");
    }
  }
}
