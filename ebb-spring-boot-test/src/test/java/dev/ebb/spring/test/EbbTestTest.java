package dev.ebb.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.client.JobKind;
import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.client.Submitted;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.spring.EbbHandler;
import dev.ebb.spring.EbbTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** A test as those of applications are, on a database that nobody has prepared. */
@SpringBootTest(classes = EbbTestTest.Application.class)
@EbbTest
class EbbTestTest {
  private static final String MADE =
      """
      select string_agg(what, ',' order by what)
      from (
        select relname::text || relkind::text from pg_class
        where relnamespace = 'ebb'::regnamespace and not relispartition
        union all
        select md5(pg_get_functiondef(oid)) from pg_proc
        where pronamespace = 'ebb'::regnamespace and prokind = 'f'
      ) made (what)
      where what not like '%flyway%' and what not like 'test_run%'
      """;

  @Autowired private EbbJobs jobs;
  @Autowired private EbbTemplate ebb;
  @Autowired private Merchants merchants;
  @Autowired private DataSource source;
  @Autowired private Greeting greeting;

  record Paid(String id) {}

  static class Merchants {
    final List<String> told = new ArrayList<>();
    private final EbbTemplate ebb;
    private final DataSource source;

    Merchants(EbbTemplate ebb, DataSource source) {
      this.ebb = ebb;
      this.source = source;
    }

    @EbbHandler(kind = "waits", queue = "merchants")
    Outcome tellLater(Paid paid) {
      return Outcome.notReady(Duration.ofHours(1));
    }

    @EbbHandler(kind = "paid", queue = "merchants")
    Outcome tell(Paid paid, Run<Paid> run) throws IOException {
      told.add(paid.id() + " " + run.attempt() + " " + run.labels());
      if (paid.id().equals("away")) {
        throw new IOException("away");
      }
      if (paid.id().equals("breaks")) {
        new JdbcTemplate(source).execute("select 1 / 0");
      }
      if (paid.id().equals("first")) {
        ebb.submit("paid", new Paid("second"), job -> job.queue("merchants"));
      }
      if (paid.id().equals("follows")) {
        ebb.submit("paid", paid, job -> job.queue("merchants").uniqueKey("follows"));
        ebb.submit("paid", paid, job -> job.queue("merchants"));
      }
      boolean isFirst = told.stream().filter(word -> word.startsWith(paid.id())).count() == 1;
      return isFirst && paid.id().equals("twice") ? Outcome.notReady() : Outcome.completed();
    }
  }

  /** Submits as soon as it is there. */
  record Greeting(UUID job) {}

  @Configuration
  static class Application {
    @Bean
    Greeting greeting(EbbTemplate ebb) {
      return new Greeting(ebb.submit("other", new Paid("hello")).id());
    }

    @Bean
    HikariDataSource dataSource() {
      DatabaseConfig bare = TestPostgres.shared().newBareDatabase();
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(bare.url());
      pool.setUsername(bare.user());
      pool.setPassword(bare.password());
      pool.setMaximumPoolSize(2);
      return pool;
    }

    @Bean
    JsonMapper jsonMapper() {
      return new JsonMapper();
    }

    @Bean
    Merchants merchants(EbbTemplate ebb, DataSource source) {
      return new Merchants(ebb, source);
    }
  }

  @BeforeEach
  void clear() {
    merchants.told.clear();
  }

  private UUID submit(String id) {
    return ebb.submit("paid", new Paid(id), job -> job.queue("merchants").label("shop", "7")).id();
  }

  @Test
  void what_is_submitted_is_found_in_its_order() {
    UUID id = submit("p-7");
    ebb.submit("other", new Paid("p-8"));

    assertThat(jobs.submitted()).extracting(SubmittedJob::kind).containsExactly("paid", "other");
    SubmittedJob job = jobs.submitted("paid").get(0);
    assertThat(job.id()).isEqualTo(id);
    assertThat(job.queue()).isEqualTo("merchants");
    assertThat(jobs.args(job, Paid.class)).isEqualTo(new Paid("p-7"));
    assertThat(merchants.told).as("no worker runs").isEmpty();
  }

  @Test
  void a_submitted_job_has_what_its_submit_says() {
    ebb.submit(
        "paid",
        new Paid("p-7"),
        job -> job.orderingKey("m-7").priority(2).maxAttempts(3).timeout(Duration.ofMillis(1500)));
    ebb.submit("number", 7);

    SubmittedJob all = jobs.submitted("paid").get(0);
    assertThat(all.orderingKey()).isEqualTo("m-7");
    assertThat(all.priority()).isEqualTo(2);
    assertThat(all.maxAttempts()).isEqualTo(3);
    assertThat(all.timeout()).isEqualTo(Duration.ofMillis(1500));
    SubmittedJob usual = jobs.submitted("number").get(0);
    assertThat(usual.orderingKey()).isNull();
    assertThat(usual.timeout()).isNull();
    assertThat(jobs.args(usual, int.class)).isEqualTo(7);
  }

  @Test
  void what_a_transaction_has_submitted_is_found_in_it_and_not_after_its_rollback() {
    new TransactionTemplate(new DataSourceTransactionManager(source))
        .executeWithoutResult(transaction -> {
          submit("p-7");
          assertThat(jobs.submitted()).hasSize(1);
          transaction.setRollbackOnly();
        });

    assertThat(jobs.submitted()).isEmpty();
  }

  @Test
  void a_job_is_run_by_its_handler_which_may_throw() throws Exception {
    assertThat(jobs.performOne(submit("p-7")).word()).isEqualTo("completed");
    UUID away = submit("away");
    assertThatThrownBy(() -> jobs.performOne(away)).isInstanceOf(IOException.class);
    UUID other = ebb.submit("other", new Paid("p")).id();
    assertThatThrownBy(() -> jobs.performOne(other)).hasMessageContaining("but [paid, waits]");
    assertThatThrownBy(() -> jobs.performOne(new UUID(0, 7))).hasMessageContaining("no job");

    assertThat(merchants.told).containsExactly("p-7 1 {shop=7}", "away 1 {shop=7}");
  }

  @RepeatedTest(2)
  void a_test_begins_without_the_jobs_of_others() {
    assertThat(jobs.submitted()).isEmpty();
    submit("p-7");
  }

  @Test
  void a_bean_may_submit_as_soon_as_it_is_there() {
    assertThat(greeting.job()).isNotNull();
  }

  @Test
  void a_queue_is_drained_of_what_is_due_and_of_what_that_submits() throws Exception {
    submit("first");
    submit("twice");
    ebb.submit("paid", new Paid("other"));
    ebb.submit("paid", new Paid("late"), job -> job.queue("merchants").delay(Duration.ofHours(1)));

    assertThat(jobs.drain("merchants"))
        .extracting(Outcome::word)
        .containsExactly("completed", "not_ready", "completed");
    assertThat(jobs.drain("merchants")).extracting(Outcome::word).containsExactly("completed");
    assertThat(jobs.drain("merchants")).isEmpty();
    assertThat(merchants.told)
        .as("an attempt that was not ready does not count")
        .containsExactly("first 1 {shop=7}", "twice 1 {shop=7}", "second 1 {}", "twice 1 {shop=7}");
  }

  @Test
  void a_job_that_is_not_ready_waits_as_long_as_its_handler_says() throws Exception {
    UUID id = ebb.submit("waits", new Paid("p-7"), job -> job.queue("merchants")).id();

    assertThat(jobs.drain("merchants")).extracting(Outcome::word).containsExactly("not_ready");
    assertThat(jobs.drain("merchants")).isEmpty();
    assertThat(jobs.performOne(id).word()).isEqualTo("not_ready");
  }

  @Test
  void a_unique_key_is_free_once_its_job_has_ended() throws Exception {
    Submitted first = submitOnce();
    assertThat(submitOnce()).isEqualTo(new Submitted(first.id(), true));

    jobs.drain("merchants");

    assertThat(submitOnce().isDuplicate()).isFalse();
    assertThat(jobs.submitted()).extracting(SubmittedJob::uniqueKey).containsExactly("k", "k");
    assertThat(jobs.drain("merchants")).hasSize(1);
  }

  private Submitted submitOnce() {
    return ebb.submit("paid", new Paid("p-7"), job -> job.queue("merchants").uniqueKey("k"));
  }

  @Test
  void what_was_run_in_a_transaction_is_forgotten_with_its_rollback() throws Exception {
    UUID id = submit("p-7");
    new TransactionTemplate(new DataSourceTransactionManager(source))
        .executeWithoutResult(transaction -> {
          assertThatCode(() -> jobs.performOne(id)).doesNotThrowAnyException();
          transaction.setRollbackOnly();
        });

    assertThat(jobs.drain("merchants")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"null, fatal, 0", "7, failed, 1"})
  void the_handler_does_not_hear_of_what_cannot_be_read(String payload, String outcome, int left)
      throws Exception {
    ebb.submit(JobKind.json("paid").job(payload).queue("merchants"));

    assertThat(jobs.drain("merchants"))
        .extracting(Outcome::toString)
        .allMatch(said -> said.startsWith(outcome + " unreadable_payload: "));
    assertThat(jobs.drain("merchants")).hasSize(left);
    assertThat(merchants.told).isEmpty();
  }

  @Test
  void a_handler_that_throws_keeps_no_other_from_running() throws Exception {
    submit("away");
    submit("away");
    submit("p-7");

    assertThatThrownBy(() -> jobs.drain("merchants"))
        .isInstanceOf(IOException.class)
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    assertThat(merchants.told).contains("p-7 1 {shop=7}");
    assertThatThrownBy(() -> jobs.drain("merchants")).isInstanceOf(IOException.class);
    assertThat(merchants.told).contains("away 2 {shop=7}");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void what_a_handler_throws_is_thrown_though_it_ends_the_tests_transaction(int maxAttempts) {
    new TransactionTemplate(new DataSourceTransactionManager(source))
        .executeWithoutResult(transaction -> {
          ebb.submit(
              "paid", new Paid("breaks"), job -> job.queue("merchants").maxAttempts(maxAttempts));

          assertThatThrownBy(() -> jobs.drain("merchants"))
              .hasMessageContaining("division by zero");
          transaction.setRollbackOnly();
        });
  }

  @Test
  void after_its_last_attempt_a_job_has_ended() throws Exception {
    ebb.submit("paid", new Paid("away"), job -> job.queue("merchants").maxAttempts(1));

    assertThatThrownBy(() -> jobs.drain("merchants")).isInstanceOf(IOException.class);
    assertThat(jobs.drain("merchants")).isEmpty();
  }

  @Test
  void a_drain_ends_though_each_job_submits_another() {
    submit("follows");

    assertThatThrownBy(() -> jobs.drain("merchants"))
        .hasMessageContaining("not empty after 1000 runs");
  }

  @Test
  void the_schema_is_that_of_the_nodes() {
    DatabaseConfig migrated = TestPostgres.shared().newDatabase();
    HikariDataSource nodes = new HikariDataSource();
    nodes.setJdbcUrl(migrated.url());
    nodes.setUsername(migrated.user());
    nodes.setPassword(migrated.password());
    try (nodes) {
      assertThat(made(source)).isEqualTo(made(nodes)).contains("jobr");
    }
    new TestSchema(source).make();
  }

  @Test
  void tests_that_start_side_by_side_make_the_schema_of_their_database_once() throws Exception {
    DatabaseConfig bare = TestPostgres.shared().newBareDatabase();
    PGSimpleDataSource shared = new PGSimpleDataSource();
    shared.setUrl(bare.url());
    shared.setUser(bare.user());
    shared.setPassword(bare.password());

    try (ExecutorService tests = Executors.newFixedThreadPool(4)) {
      CyclicBarrier together = new CyclicBarrier(4);
      List<Future<Void>> starts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        starts.add(
            tests.submit(() -> {
              together.await();
              new TestSchema(shared).make();
              return null;
            }));
      }
      for (Future<Void> start : starts) {
        start.get();
      }
    }

    assertThat(made(shared)).isEqualTo(made(source));
  }

  private static String made(DataSource source) {
    return String.valueOf(new JdbcTemplate(source).queryForObject(MADE, String.class));
  }
}
