package dev.ebb.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.client.EbbJdbc;
import dev.ebb.client.InvalidJob;
import dev.ebb.client.Job;
import dev.ebb.client.JobKind;
import dev.ebb.client.Submitted;
import dev.ebb.db.TestPostgres;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Submits in the transactions of Spring's managers. */
class EbbTemplateTest {
  private static final JobKind<Paid> PAID = JobKind.of("paid", Paid.class);
  private static final Shop SHOP = new Shop();
  private static HikariDataSource pool;
  private static EntityManagerFactory entities;

  record Paid(String id) {}

  /** How an application writes its rows. */
  enum Writes {
    JDBC,
    JPA;

    PlatformTransactionManager manager() {
      return this == JPA
          ? new JpaTransactionManager(entities)
          : new DataSourceTransactionManager(pool);
    }

    void payment(String id) {
      if (this == JPA) {
        SharedEntityManagerCreator.createSharedEntityManager(entities).persist(new Payment(id));
      } else {
        new JdbcTemplate(pool).update("insert into payment values (?)", id);
      }
    }
  }

  @BeforeAll
  static void open() {
    pool = SHOP.pool();
    entities = entities(pool);
  }

  private static EntityManagerFactory entities(DataSource source) {
    LocalContainerEntityManagerFactoryBean jpa = new LocalContainerEntityManagerFactoryBean();
    jpa.setDataSource(source);
    jpa.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    jpa.setManagedTypes(PersistenceManagedTypes.of(Payment.class.getName()));
    jpa.afterPropertiesSet();
    return Objects.requireNonNull(jpa.getObject());
  }

  @AfterAll
  static void close() {
    entities.close();
    pool.close();
  }

  @AfterEach
  void empty() {
    SHOP.execute("delete from ebb.job; delete from payment");
  }

  private static EbbTemplate ebb(DataSource source) {
    return new EbbTemplate(EbbJdbc.create(), source, false);
  }

  private static EbbTemplate ebb() {
    return ebb(pool);
  }

  private static int jobs() {
    return SHOP.number("select count(*) from ebb.job");
  }

  private static int payments() {
    return SHOP.number("select count(*) from payment");
  }

  private static void in(PlatformTransactionManager manager, Runnable work) {
    new TransactionTemplate(manager).executeWithoutResult(status -> work.run());
  }

  @ParameterizedTest
  @EnumSource
  void a_job_commits_with_the_rows_of_its_transaction(Writes writes) {
    in(
        writes.manager(),
        () -> {
          writes.payment("p-7");
          Submitted stored = ebb().submit("paid", new Paid("p-7"), job -> job.uniqueKey("p-7"));
          assertThat(ebb().submit("paid", new Paid("p-7"), job -> job.uniqueKey("p-7")))
              .isEqualTo(new Submitted(stored.id(), true));
          assertThat(jobs()).as("nobody sees it before the commit").isZero();
        });

    assertThat(jobs()).isOne();
    assertThat(payments()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void a_job_rolls_back_with_the_rows_of_its_transaction(Writes writes) {
    assertThatThrownBy(() ->
            in(
                writes.manager(),
                () -> {
                  ebb().submit(PAID.job(new Paid("p-7")));
                  ebb().submit(List.of(PAID.job(new Paid("p-8")), PAID.job(new Paid("p-9"))));
                  writes.payment("p-7");
                  throw new IllegalStateException("no money");
                }))
        .hasMessage("no money");

    assertThat(jobs()).isZero();
    assertThat(payments()).isZero();
  }

  /** The control: what does not ask Spring for its connection has a transaction of its own. */
  @Test
  void control_a_job_that_is_submitted_beside_the_transaction_stays() {
    EbbJdbc beside = EbbJdbc.create();
    assertThatThrownBy(() ->
            in(
                Writes.JDBC.manager(),
                () -> {
                  submit(beside);
                  throw new IllegalStateException("no money");
                }))
        .hasMessage("no money");

    assertThat(jobs()).isOne();
  }

  private static void submit(EbbJdbc ebb) {
    try {
      ebb.submit(pool, PAID.job(new Paid("p-7")));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_broken_rule_leaves_the_transaction_to_go_on() {
    in(
        Writes.JDBC.manager(),
        () -> {
          assertThatThrownBy(() -> ebb().submit("paid", new Paid("p"), job -> job.priority(10)))
              .isInstanceOf(InvalidJob.class);
          ebb().submit("paid", new Paid("p-7"));
        });

    assertThat(jobs()).isOne();
  }

  @Test
  void a_transaction_that_is_read_only_is_refused() {
    TransactionTemplate reads = new TransactionTemplate(Writes.JPA.manager());
    reads.setReadOnly(true);

    assertThatThrownBy(() -> reads.execute(status -> ebb().submit("paid", new Paid("p"))))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("read-only");
    assertThat(jobs()).isZero();
  }

  @Test
  void without_a_transaction_a_job_has_its_own_or_is_refused() {
    ebb().submit("paid", new Paid("p-7"));
    assertThat(ebb().submit(List.of(PAID.job(new Paid("p-8")), PAID.job(new Paid("p-9")))))
        .hasSize(2);
    assertThat(jobs()).isEqualTo(3);

    EbbTemplate strict = new EbbTemplate(EbbJdbc.create(), pool, true);
    assertThatThrownBy(() -> strict.submit("paid", new Paid("p")))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("without a transaction");
    in(Writes.JDBC.manager(), () -> strict.submit("paid", new Paid("p-10")));
    assertThat(jobs()).isEqualTo(4);
  }

  @Test
  void a_pool_that_does_not_commit_by_itself_loses_no_job() {
    try (HikariDataSource patient = Shop.pool(SHOP.config, false)) {
      ebb(patient).submit("paid", new Paid("p-7"));
      TransactionTemplate none = new TransactionTemplate(new DataSourceTransactionManager(patient));
      none.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
      none.execute(status -> ebb(patient).submit("paid", new Paid("p-8")));
    }

    assertThat(jobs()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void the_transaction_of_another_data_source_is_refused(boolean commits) {
    String sentence = "not one of Ebb's data source";
    try (HikariDataSource own = Shop.pool(SHOP.config, commits)) {
      in(
          Writes.JPA.manager(),
          () -> {
            assertRefused(own, sentence);
            new JdbcTemplate(own).queryForObject("select 1", Integer.class);
            assertRefused(own, sentence);
            in(managerOf(own), () -> ebb(own).submit("paid", new Paid("p-7")));
          });
    }

    assertThat(jobs()).isOne();
  }

  private static void assertRefused(DataSource source, String sentence) {
    assertThatThrownBy(() -> ebb(source).submit("paid", new Paid("p")))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining(sentence);
  }

  /** Its connection is bound, and is never committed again. */
  @ParameterizedTest
  @CsvSource({"JDBC,true", "JDBC,false", "JPA,true", "JPA,false"})
  void after_the_end_of_its_transaction_a_job_is_refused(Writes writes, boolean commits) {
    CountDownLatch ended = new CountDownLatch(1);
    try (HikariDataSource own = Shop.pool(SHOP.config, commits);
        EntityManagerFactory of = entities(own)) {
      PlatformTransactionManager manager =
          writes == Writes.JPA ? new JpaTransactionManager(of) : managerOf(own);
      TransactionTemplate another = new TransactionTemplate(manager);
      another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      afterCommit(
          manager,
          () -> {
            assertRefused(own, "after the end of its transaction");
            another.execute(status -> ebb(own).submit("paid", new Paid("p-7")));
            ended.countDown();
          });
    }

    assertThat(ended.getCount()).as("what Spring hides of a listener is told").isZero();
    assertThat(jobs()).isOne();
  }

  private static DataSourceTransactionManager managerOf(DataSource source) {
    return new DataSourceTransactionManager(source);
  }

  /** As an event's listener is called after the commit. */
  private static void afterCommit(PlatformTransactionManager manager, Runnable listener) {
    in(
        manager,
        () ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCompletion(int status) {
                    listener.run();
                  }
                }));
  }

  @Test
  void a_data_source_that_knows_transactions_is_looked_through() {
    DataSource proxy = new TransactionAwareDataSourceProxy(pool);
    assertThatThrownBy(() ->
            in(
                new DataSourceTransactionManager(proxy),
                () -> {
                  ebb(proxy).submit(List.<Job<?>>of(PAID.job(new Paid("p-7"))));
                  throw new IllegalStateException("no money");
                }))
        .hasMessage("no money");

    assertThat(jobs()).isZero();
  }

  @Test
  void an_error_of_the_database_is_one_of_springs() {
    try (HikariDataSource bare = Shop.pool(TestPostgres.shared().newBareDatabase(), true)) {
      assertThatThrownBy(() -> ebb(bare).submit("paid", new Paid("p")))
          .isInstanceOf(DataAccessException.class);
    }
  }
}
