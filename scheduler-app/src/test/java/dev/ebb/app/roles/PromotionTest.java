package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.Judged;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.stats.Attempts;
import dev.ebb.db.stats.Recount;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The primary is killed under load and its standby promoted, again and again. Shorter by {@code
 * -Debb.promotions=PT1M}.
 */
@Proof
class PromotionTest {
  private static final Duration LENGTH =
      Duration.parse(System.getProperty("ebb.promotions", "PT15M"));

  private static final int MOST = 100;
  private static final int ASYNCHRONOUS = 3;
  private static final long ALLOWED_MILLIS = 2_000;
  private static final String JOB = "{\"kind\": \"report\", \"payload\": 1}";
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

  private final List<Recovery> recoveries = new ArrayList<>();
  private Failover failover;
  private Merchant merchant;
  private NodeProcess first;
  private NodeProcess second;
  private Clients clients;

  /**
   * How long it took from the end of the primary.
   *
   * @param promoted until the standby took a write
   * @param acknowledged until a node acknowledged a job
   */
  private record Recovery(long promoted, long acknowledged) {
    long own() {
      return acknowledged - promoted;
    }
  }

  @BeforeEach
  void start() throws Exception {
    merchant = new Merchant(Duration.ofMillis(20));
    failover = new Failover();
    first = node();
    second = node();
    clients = new Clients(List.of(first, second), merchant);
  }

  private NodeProcess node() throws Exception {
    return NodeProcess.start(
        "server",
        failover.database(),
        Map.of("EBB_LEASE", "5s", "EBB_DELIVERY_ALLOW", "127.0.0.0/8"));
  }

  @AfterEach
  void stop() throws Exception {
    clients.close();
    first.close();
    second.close();
    failover.close();
    merchant.close();
  }

  @Test
  void synchronous_promotions_lose_no_job_settle_none_twice_and_nodes_are_back_in_two_seconds()
      throws Exception {
    long end = System.nanoTime() + LENGTH.toNanos();
    failover.makeSynchronous();
    while (recoveries.size() < MOST && System.nanoTime() - end < 0) {
      clients.awaitMore(20);
      Judged.holds(
          "how soon jobs are acknowledged after a promotion",
          TestPostgres.shared().config("postgres"),
          this::promote);
      standBy();
    }
    clients.finish();
    failover.awaitEveryJobEnded();
    print();

    assertThat(lost()).isEmpty();
    assertThat(untold()).isEmpty();
    assertThat(Attempts.settledTwice(failover.config())).isEmpty();
    assertThat(Attempts.misnumbered(failover.config())).isEmpty();
    assertThat(Recount.ofTheStatistics(failover.config()))
        .isEqualTo(Recount.ofTheJobs(failover.config()));
  }

  private Optional<AssertionError> promote(int run) throws Exception {
    if (run > 0) {
      standBy();
      clients.awaitMore(20);
    }
    Recovery recovery = failOver();
    recoveries.add(recovery);
    return Judged.missed(() ->
        assertThat(recovery.own())
            .as("ms from the promotion to an acknowledgement")
            .isLessThan(ALLOWED_MILLIS));
  }

  private void standBy() throws Exception {
    failover.standBy();
    failover.makeSynchronous();
  }

  private Recovery failOver() throws Exception {
    failover.killPrimary();
    long killed = System.nanoTime();
    Future<Long> acknowledged = clients.nextAcknowledgement();
    long promoted = failover.promote();
    Await.until("a job is acknowledged", acknowledged::isDone);
    return new Recovery(
        TimeUnit.NANOSECONDS.toMillis(promoted - killed),
        TimeUnit.NANOSECONDS.toMillis(acknowledged.resultNow() - killed));
  }

  private void print() {
    System.out.printf(
        Locale.ROOT,
        "%d synchronous promotions, %d jobs acknowledged, %d URLs answered well twice; ms from the"
            + " kill to a write p50 %d, p99 %d, to an acknowledgement p50 %d, p99 %d; between the"
            + " two p50 %d, p99 %d, most %d%n",
        recoveries.size(),
        clients.acknowledged().size(),
        merchant.answeredTwice(),
        percentile(50, Recovery::promoted),
        percentile(99, Recovery::promoted),
        percentile(50, Recovery::acknowledged),
        percentile(99, Recovery::acknowledged),
        percentile(50, Recovery::own),
        percentile(99, Recovery::own),
        percentile(100, Recovery::own));
  }

  private long percentile(int percent, ToLongFunction<Recovery> what) {
    long[] sorted = recoveries.stream().mapToLong(what).sorted().toArray();
    return sorted[Math.max(0, Math.ceilDiv(sorted.length * percent, 100) - 1)];
  }

  @Test
  void each_job_that_asynchronous_promotions_lose_is_named_and_no_other() throws Exception {
    for (int round = 0; round < ASYNCHRONOUS; round++) {
      clients.awaitMore(40);
      failover.cut();
      clients.awaitMore(40);
      int before = lost().size();
      failOver();
      assertThat(lost()).hasSizeGreaterThan(before);
      Await.until("the lost jobs are named", () -> named().containsAll(lost()));
      failover.standBy();
    }
    clients.finish();
    failover.awaitEveryJobEnded();
    System.out.printf(
        Locale.ROOT,
        "%d asynchronous promotions, %d jobs acknowledged, %d of them lost and named%n",
        ASYNCHRONOUS,
        clients.acknowledged().size(),
        lost().size());

    assertThat(named()).isEqualTo(lost());
  }

  @Test
  void a_lost_job_is_named_by_a_node_that_only_repeated_the_answer() throws Exception {
    clients.close();
    failover.cut();
    UUID job = id(second.submit(JOB, "repeated"));
    second.close();
    HttpResponse<String> again = first.submit(JOB, "repeated");
    assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
    assertThat(id(again)).isEqualTo(job);

    failover.killPrimary();
    failover.promote();

    Await.until("the lost job is named", () -> named().contains(job));
    assertThat(failover.jobs()).doesNotContain(job);
  }

  private static UUID id(HttpResponse<String> answer) {
    Matcher id = ID.matcher(answer.body());
    assertThat(id.find()).as(answer.body()).isTrue();
    return UUID.fromString(id.group(1));
  }

  /** What was acknowledged, and what the database does not have. */
  private Set<UUID> lost() throws Exception {
    Set<UUID> lost = new HashSet<>(clients.acknowledged());
    lost.removeAll(failover.jobs());
    return lost;
  }

  /** Of each key one job was acknowledged in the end: another one would be one too many. */
  private Set<UUID> untold() throws Exception {
    Set<UUID> untold = failover.jobs();
    untold.removeAll(clients.acknowledged());
    return untold;
  }

  private Set<UUID> named() throws Exception {
    String page = first.get("/v1/database/lost-jobs?limit=1000").body();
    Set<UUID> named = new HashSet<>();
    ID.matcher(page).results().forEach(id -> named.add(UUID.fromString(id.group(1))));
    return named;
  }
}
