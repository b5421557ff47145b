package dev.ebb.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
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
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
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
      where what not like '%flyway%'
      """;

  private static final String NODE =
      """
      insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
      values ('node-7', '1', '', '{}', '{}', 1)
      """;

  @Autowired private EbbJobs jobs;
  @Autowired private EbbTemplate ebb;
  @Autowired private Merchants merchants;
  @Autowired private DataSource source;

  record Paid(String id) {}

  static class Merchants {
    final List<String> told = new ArrayList<>();
    private final EbbTemplate ebb;

    Merchants(EbbTemplate ebb) {
      this.ebb = ebb;
    }

    @EbbHandler(kind = "paid", queue = "merchants")
    Outcome tell(Paid paid, Run<Paid> run) throws IOException {
      told.add(paid.id() + " " + run.attempt() + " " + run.labels());
      if (paid.id().equals("away")) {
        throw new IOException("away");
      }
      if (paid.id().equals("first")) {
        ebb.submit("paid", new Paid("second"), job -> job.queue("merchants"));
      }
      return run.attempt() == 1 && paid.id().equals("twice")
          ? Outcome.notReady()
          : Outcome.completed();
    }
  }

  @Configuration
  @ImportAutoConfiguration(EbbAutoConfiguration.class)
  static class Application {
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
    Merchants merchants(EbbTemplate ebb) {
      return new Merchants(ebb);
    }
  }

  @BeforeEach
  void clear() {
    jobs.clear();
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
    assertThatThrownBy(() -> jobs.performOne(other)).hasMessageContaining("but [paid]");
    assertThatThrownBy(() -> jobs.performOne(new UUID(0, 7))).hasMessageContaining("no job");

    assertThat(merchants.told).containsExactly("p-7 1 {shop=7}", "away 1 {shop=7}");
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
        .containsExactly("first 1 {shop=7}", "twice 1 {shop=7}", "second 1 {}", "twice 2 {shop=7}");
  }

  @Test
  void a_database_that_nodes_use_keeps_its_jobs() {
    submit("p-7");
    JdbcTemplate database = new JdbcTemplate(source);
    database.update(NODE);

    assertThatThrownBy(() -> jobs.clear()).hasMessageContaining("its jobs were not deleted");
    assertThat(jobs.submitted()).hasSize(1);
    database.update("delete from ebb.node");
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
    EbbSchema.make(source);
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
              EbbSchema.make(shared);
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
