package dev.ebb.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbJdbc;
import dev.ebb.client.EbbJson;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.lang.reflect.Type;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import tools.jackson.databind.json.JsonMapper;

/** What an application gets by having the starter. */
class EbbAutoConfigurationTest {
  private static final Shop SHOP = new Shop();
  private static final HikariDataSource POOL = SHOP.pool();
  private static final HikariDataSource BARE =
      Shop.pool(TestPostgres.shared().newBareDatabase(), true);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(EbbAutoConfiguration.class));

  record Paid(String paymentId) {}

  @AfterAll
  static void close() {
    POOL.close();
    BARE.close();
  }

  /** One that outlives the application. */
  private static DataSource lent(DataSource pool) {
    return new DelegatingDataSource(pool);
  }

  private ApplicationContextRunner shop() {
    return runner.withBean("dataSource", DataSource.class, () -> lent(POOL));
  }

  private static String sentence(AssertableApplicationContext context) {
    Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "it started");
    return Objects.requireNonNull(new SetupFailureAnalyzer().analyze(failure), failure::toString)
        .getDescription();
  }

  @Test
  void an_application_has_what_it_has_the_parts_for() {
    runner.run(context -> assertThat(context).doesNotHaveBean(EbbTemplate.class));
    shop()
        .run(context -> {
          assertThat(context).hasSingleBean(EbbTemplate.class).doesNotHaveBean(EbbHttp.class);
          assertThat(context.getBean(EbbTemplate.class).submit("paid", new Paid("p")).isDuplicate())
              .isFalse();
        });
    runner
        .withPropertyValues("ebb.url=http://127.0.0.1:1", "ebb.token=t")
        .run(context -> assertThat(context).hasSingleBean(EbbHttp.class));
    shop()
        .withPropertyValues("ebb.url=http://127.0.0.1:1", "ebb.enabled=false")
        .run(context ->
            assertThat(context)
                .doesNotHaveBean(EbbTemplate.class)
                .doesNotHaveBean(EbbHttp.class)
                .doesNotHaveBean(WorkerLifecycle.class));
  }

  @Configuration
  static class Own {
    static final EbbJson JSON = new Fixed();
    static final EbbJdbc JDBC = EbbJdbc.create();
    static final EbbTemplate TEMPLATE = new EbbTemplate(JDBC, POOL, false);
    static final EbbHttp HTTP = EbbHttp.at(URI.create("http://127.0.0.1:2")).build();

    @Bean
    EbbJson json() {
      return JSON;
    }

    @Bean
    EbbJdbc jdbc() {
      return JDBC;
    }

    @Bean
    EbbTemplate template() {
      return TEMPLATE;
    }

    @Bean
    EbbHttp http() {
      return HTTP;
    }

    private static final class Fixed implements EbbJson {
      @Override
      public String encode(Object value) {
        return "{\"fixed\":true}";
      }

      @Override
      public Object decode(String json, Type type) {
        throw new UnsupportedOperationException();
      }
    }
  }

  @Test
  void a_bean_of_the_applications_own_takes_the_place_of_each() {
    shop()
        .withBean(JsonMapper.class)
        .withUserConfiguration(Own.class)
        .withPropertyValues("ebb.url=http://127.0.0.1:1")
        .run(context -> {
          assertThat(context.getBean(EbbJson.class)).isSameAs(Own.JSON);
          assertThat(context.getBean(EbbJdbc.class)).isSameAs(Own.JDBC);
          assertThat(context.getBean(EbbTemplate.class)).isSameAs(Own.TEMPLATE);
          assertThat(context.getBean(EbbHttp.class)).isSameAs(Own.HTTP);
        });
  }

  @Configuration
  static class TwoDataSources {
    @Bean
    DataSource bare() {
      return lent(BARE);
    }

    @Bean
    DataSource shop() {
      return lent(POOL);
    }
  }

  @Configuration
  static class PrimaryDataSource {
    @Bean
    DataSource bare() {
      return lent(BARE);
    }

    @Bean
    @Primary
    DataSource shop() {
      return lent(POOL);
    }
  }

  @Configuration
  static class MarkedDataSource {
    @Bean
    @Primary
    DataSource bare() {
      return lent(BARE);
    }

    @Bean
    @EbbDataSource
    DataSource shop() {
      return lent(POOL);
    }
  }

  @Configuration
  static class NamedDataSource {
    @Bean
    @Primary
    @EbbDataSource
    DataSource bare() {
      return lent(BARE);
    }

    @Bean
    DataSource shop() {
      return lent(POOL);
    }
  }

  static List<Arguments> choices() {
    return List.of(
        Arguments.of(PrimaryDataSource.class, "ebb.schema=validate"),
        Arguments.of(MarkedDataSource.class, "ebb.schema=validate"),
        Arguments.of(NamedDataSource.class, "ebb.data-source=shop"),
        Arguments.of(TwoDataSources.class, "ebb.data-source=shop"));
  }

  /** The other one does not have Ebb's schema. */
  @ParameterizedTest
  @MethodSource("choices")
  void the_data_source_is_the_one_that_is_named_or_marked_or_primary(Class<?> beans, String said) {
    runner
        .withUserConfiguration(beans)
        .withPropertyValues(said)
        .run(context ->
            assertThat(context.getBean(EbbTemplate.class).submit("paid", new Paid("p")))
                .isNotNull());
  }

  /** A bean that submits in transactions. */
  record Checkout(EbbTemplate ebb) {}

  private ApplicationContextRunner submits() {
    return runner.withBean(Checkout.class);
  }

  @Test
  void an_application_that_submits_over_http_alone_may_have_any_data_sources() {
    runner
        .withUserConfiguration(TwoDataSources.class)
        .withPropertyValues("ebb.url=http://127.0.0.1:1")
        .run(context -> {
          assertThat(context).hasNotFailed().hasSingleBean(EbbHttp.class);
          assertThatThrownBy(() -> context.getBean(EbbTemplate.class))
              .rootCause()
              .hasMessageStartingWith("The data sources are bare and shop, and none is primary");
        });
  }

  @Test
  void a_data_source_that_nobody_chose_fails_the_start_in_one_sentence() {
    submits()
        .withUserConfiguration(TwoDataSources.class)
        .run(context ->
            assertThat(sentence(context))
                .startsWith("The data sources are bare and shop, and none is primary: mark"));
    submits()
        .withUserConfiguration(TwoDataSources.class)
        .withPropertyValues("ebb.data-source=shops")
        .run(context ->
            assertThat(sentence(context))
                .isEqualTo("ebb.data-source is shops, and the data sources are bare and shop."));
  }

  @Test
  void a_database_to_which_nobody_could_submit_fails_the_start_in_one_sentence() {
    TestPostgres.shared().execute("create role passer_by login password 'p'");
    DatabaseConfig unknown = DatabaseConfig.of(SHOP.config.url(), "passer_by", "p");
    submits()
        .withBean(DataSource.class, () -> lent(BARE))
        .run(context -> assertThat(sentence(context)).contains("run ./ebb migrate on it"));
    try (HikariDataSource pool = Shop.pool(unknown, true)) {
      submits()
          .withBean(DataSource.class, () -> lent(pool))
          .run(context ->
              assertThat(sentence(context)).contains("run ./ebb grant-submit passer_by"));
    }
    DatabaseConfig older = TestPostgres.shared().newDatabase();
    try (HikariDataSource pool = Shop.pool(older, true)) {
      new JdbcTemplate(pool)
          .execute(
              "create or replace function ebb.contract() returns integer language sql"
                  + " return 1");
      submits()
          .withBean(DataSource.class, () -> lent(pool))
          .run(context -> assertThat(sentence(context)).contains("is older than this client"));
    }
    submits()
        .withBean(DataSource.class, () -> lent(BARE))
        .withPropertyValues("ebb.schema=none")
        .run(context -> assertThat(context).hasSingleBean(EbbTemplate.class));
  }

  @Test
  void arguments_are_written_as_the_applications_own_jackson_does() {
    JsonMapper three =
        JsonMapper.builder()
            .propertyNamingStrategy(tools.jackson.databind.PropertyNamingStrategies.SNAKE_CASE)
            .build();
    ObjectMapper two =
        new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE);
    runner
        .withBean(JsonMapper.class, () -> three)
        .withBean(ObjectMapper.class, () -> two)
        .run(context -> writes(context, "{\"payment_id\":\"p\"}"));
    runner
        .withBean(ObjectMapper.class, () -> two)
        .run(context -> writes(context, "{\"payment-id\":\"p\"}"));
  }

  private static void writes(AssertableApplicationContext context, String expected) {
    EbbJson json = context.getBean(EbbJson.class);

    assertThat(json.encode(new Paid("p"))).isEqualTo(expected);
    assertThat(json.decode(expected, Paid.class)).isEqualTo(new Paid("p"));
  }

  static class Handles {
    @EbbHandler(kind = "paid")
    void on(Paid paid) {}
  }

  @Test
  void handlers_without_a_server_fail_the_start_unless_others_run_them() {
    runner
        .withBean(Handles.class)
        .run(context ->
            assertThat(sentence(context))
                .startsWith("No server is named for the handlers of paid: set ebb.url, or"));
    runner
        .withBean(Handles.class)
        .withPropertyValues("ebb.worker.enabled=false")
        .run(context -> assertThat(context).hasNotFailed());
  }

  private ApplicationContextRunner handles() {
    return runner.withBean(Handles.class).withPropertyValues("ebb.url=http://127.0.0.1:1");
  }

  @Test
  void a_worker_that_cannot_be_fails_the_start_in_one_sentence() {
    handles()
        .withPropertyValues("ebb.url=")
        .run(context -> assertThat(sentence(context)).startsWith("ebb.url is empty"));
    handles()
        .withPropertyValues("ebb.url=ebb:8080")
        .run(context -> assertThat(sentence(context)).contains("must be like http://ebb:8080"));
    handles()
        .withPropertyValues("ebb.token=secret word")
        .run(context ->
            assertThat(sentence(context))
                .startsWith("ebb.url or ebb.token is wrong")
                .doesNotContain("secret"));
    handles()
        .withPropertyValues("ebb.worker.queues=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q")
        .run(context -> assertThat(sentence(context)).contains("takes from 1 to 16 queues"));
    handles()
        .withPropertyValues("ebb.worker.slots=0")
        .run(context -> assertThat(sentence(context)).contains("has 1 to 10,000 slots"));
  }

  @Test
  void an_application_without_handlers_is_started_again_without_a_worker() {
    runner.run(context -> {
      ConfigurableApplicationContext own =
          context.getSourceApplicationContext(ConfigurableApplicationContext.class);
      own.stop();
      own.start();

      assertThat(context.getBean(WorkerLifecycle.class).isRunning()).isFalse();
    });
  }

  @Test
  void each_context_runs_the_handlers_of_its_own_beans() {
    runner
        .withPropertyValues("ebb.url=http://127.0.0.1:1")
        .run(parent ->
            handles()
                .withParent(parent.getSourceApplicationContext())
                .run(child -> {
                  assertThat(child.getBean(WorkerLifecycle.class).isRunning()).isTrue();
                  assertThat(child.getBean(HandlerMethods.class).all()).hasSize(1);
                  assertThat(parent.getBean(WorkerLifecycle.class).isRunning()).isFalse();
                }));
  }

  @Test
  void the_worker_has_a_health_unless_it_is_switched_off() {
    runner.run(context -> assertThat(context).hasBean("ebbHealthIndicator"));
    runner
        .withPropertyValues("management.health.ebb.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("ebbHealthIndicator"));
    ApplicationContextRunner without =
        runner.withPropertyValues("management.health.defaults.enabled=false");
    without.run(context -> assertThat(context).doesNotHaveBean("ebbHealthIndicator"));
    without
        .withPropertyValues("management.health.ebb.enabled=true")
        .run(context -> assertThat(context).hasBean("ebbHealthIndicator"));
  }

  @Test
  void a_strict_application_submits_in_transactions_alone() {
    shop()
        .withPropertyValues("ebb.require-transaction=true")
        .run(context -> {
          EbbTemplate ebb = context.getBean(EbbTemplate.class);
          assertThatThrownBy(() -> ebb.submit("paid", new Paid("p")))
              .hasMessageContaining("ebb.require-transaction is set");
        });
  }
}
