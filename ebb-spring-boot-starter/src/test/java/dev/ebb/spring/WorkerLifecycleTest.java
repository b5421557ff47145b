package dev.ebb.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.api.ApiConfig;
import dev.ebb.api.EbbApi;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbWorker;
import dev.ebb.client.JobKind;
import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that runs jobs, from its start to its end, beside a server. */
class WorkerLifecycleTest {
  private static final Shop SHOP = new Shop();
  private static Database database;
  private static EbbApi api;

  record Paid(String id) {}

  @BeforeAll
  static void start() {
    database = TestPostgres.open(SHOP.config.withStatementTimeout(Duration.ofSeconds(30)));
    api = EbbApi.start(ApiConfig.of("127.0.0.1", 0).withAccess(AccessConfig.openToAll()), database);
  }

  @AfterAll
  static void stop() {
    api.close();
    database.close();
  }

  /** Runs until it is released, and then needs the data source. */
  static class Merchants {
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final DataSource source;

    Merchants(DataSource source) {
      this.source = source;
    }

    @EbbHandler(kind = "paid", queue = "merchants")
    Outcome tell(Paid paid, Run<Paid> run) throws InterruptedException {
      started.countDown();
      release.await();
      try (Connection connection = source.getConnection()) {
        told.add(paid.id() + " " + connection.isValid(10));
        return Outcome.completed();
      } catch (SQLException closed) {
        told.add("no connection");
        throw new IllegalStateException(closed);
      }
    }

    String told() throws InterruptedException {
      return String.valueOf(told.poll(60, TimeUnit.SECONDS));
    }
  }

  @Configuration
  @ImportAutoConfiguration(EbbAutoConfiguration.class)
  static class Application {
    @Bean
    HikariDataSource dataSource() {
      return SHOP.pool();
    }

    @Bean
    Merchants merchants(DataSource source) {
      return new Merchants(source);
    }

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  @Configuration
  static class Elsewhere {
    @Bean
    EbbWorkerCustomizer elsewhere() {
      return worker -> worker.queues("elsewhere");
    }
  }

  private static ConfigurableApplicationContext start(EbbApi server, String... more) {
    return start(server, List.of(Application.class), more);
  }

  private static ConfigurableApplicationContext start(
      EbbApi server, List<Class<?>> sources, String... more) {
    SpringApplication application =
        new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .build();
    List<String> properties = new ArrayList<>(List.of(more));
    properties.add("--ebb.url=http://127.0.0.1:" + server.port());
    return application.run(properties.toArray(String[]::new));
  }

  private static UUID submit(ConfigurableApplicationContext context, String id) {
    return context
        .getBean(EbbTemplate.class)
        .submit("paid", new Paid(id), job -> job.queue("merchants"))
        .id();
  }

  private static boolean isCompleted(UUID id) {
    return SHOP.number("select count(*) from ebb.history where id = '" + id + "'") == 1;
  }

  private static WorkerLifecycle worker(ConfigurableApplicationContext context) {
    return context.getBean(WorkerLifecycle.class);
  }

  private static String health(ConfigurableApplicationContext context) {
    Health health = Objects.requireNonNull(context.getBean(HealthIndicator.class).health());
    return health.getStatus().getCode();
  }

  @Test
  void a_handler_that_runs_ends_while_the_application_ends_and_then_the_pool_closes()
      throws Exception {
    ConfigurableApplicationContext context = start(api);
    Merchants merchants = context.getBean(Merchants.class);
    HikariDataSource pool = context.getBean(HikariDataSource.class);
    WorkerLifecycle worker = worker(context);
    UUID id = submit(context, "p-7");
    merchants.started.await();
    assertThat(health(context)).isEqualTo("UP");

    Thread ends = Thread.ofPlatform().start(context::close);
    Await.until("it drains", () -> worker.health().status().equals("OUT_OF_SERVICE"));
    assertThat(pool.isClosed()).isFalse();
    merchants.release.countDown();
    ends.join();

    assertThat(merchants.told()).isEqualTo("p-7 true");
    assertThat(isCompleted(id)).isTrue();
    assertThat(pool.isClosed()).isTrue();
    assertThat(worker.isRunning()).isFalse();
  }

  @Test
  void control_without_its_lifecycle_a_handler_loses_the_pool() throws Exception {
    ConfigurableApplicationContext context = start(api, "--ebb.worker.enabled=false");
    Merchants merchants = context.getBean(Merchants.class);
    UUID id = submit(context, "p-7");
    try (EbbWorker _ = alone(context.getBean(EbbHttp.class), merchants)) {
      merchants.started.await();
      context.close();
      merchants.release.countDown();

      assertThat(merchants.told()).isEqualTo("no connection");
    }
    SHOP.execute("delete from ebb.job where id = '" + id + "'");
  }

  private static EbbWorker alone(EbbHttp http, Merchants merchants) {
    return http.worker("alone")
        .queues("merchants")
        .on(JobKind.of("paid", Paid.class), run -> merchants.tell(run.args(), run))
        .start();
  }

  @Test
  void a_worker_is_started_again_after_it_was_stopped() throws Exception {
    try (ConfigurableApplicationContext context = start(api)) {
      Merchants merchants = context.getBean(Merchants.class);
      merchants.release.countDown();
      context.stop();
      UUID id = submit(context, "p-8");
      assertThat(health(context)).isEqualTo("OUT_OF_SERVICE");

      context.start();

      assertThat(merchants.told()).isEqualTo("p-8 true");
      Await.until("it is completed", () -> isCompleted(id));
      assertThat(health(context)).isEqualTo("UP");
      assertThat(new Boot3Health().ebbHealthIndicator(worker(context)).health().getStatus())
          .hasToString("UP");
      assertThat(
              context
                  .getBean(MeterRegistry.class)
                  .get("ebb.job.attempts")
                  .tags("queue", "merchants", "kind", "paid", "outcome", "completed")
                  .timer()
                  .count())
          .isOne();
    }
  }

  @Test
  void a_customizer_has_the_last_word_on_the_worker() throws Exception {
    try (ConfigurableApplicationContext context =
        start(api, List.of(Application.class, Elsewhere.class))) {
      Merchants merchants = context.getBean(Merchants.class);
      merchants.release.countDown();

      var _ =
          context
              .getBean(EbbTemplate.class)
              .submit("paid", new Paid("p-10"), job -> job.queue("elsewhere"));

      assertThat(merchants.told()).isEqualTo("p-10 true");
    }
  }

  @Test
  void what_runs_longer_than_the_application_may_end_is_given_back() throws Exception {
    UUID id;
    try (ConfigurableApplicationContext context = start(api, "--ebb.worker.grace=1ms")) {
      id = submit(context, "p-9");
      context.getBean(Merchants.class).started.await();
    }

    assertThat(SHOP.number("select attempt from ebb.job where id = '" + id + "'"))
        .as("it cost no attempt")
        .isZero();
    SHOP.execute("delete from ebb.job where id = '" + id + "'");
  }

  @Test
  void a_worker_whose_polls_are_refused_is_down() throws Exception {
    ApiConfig closed =
        ApiConfig.of("127.0.0.1", 0)
            .withAccess(AccessConfig.of("a-token-of-more-than-32-characters", List.of()));
    try (EbbApi asks = EbbApi.start(closed, database);
        ConfigurableApplicationContext context = start(asks)) {
      Await.until("it is down", () -> health(context).equals("DOWN"));

      assertThat(worker(context).health().details().get("error")).contains("401");
    }
  }
}
