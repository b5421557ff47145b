package dev.ebb.spring;

import dev.ebb.client.EbbJdbc;
import dev.ebb.client.Job;
import dev.ebb.client.JobKind;
import dev.ebb.client.Submitted;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Submits jobs in the transaction of the thread, as Spring has it: the job commits or rolls back
 * with what else was written there, by JDBC or JPA. Without a transaction a submit has one of its
 * own, unless that is refused.
 *
 * <p>It refuses what would look like the caller's transaction and is not: one that has ended, one
 * that is read-only, or one of another data source.
 */
public final class EbbTemplate {
  private final EbbJdbc ebb;
  private final DataSource dataSource;
  private final OfJdbc ofJdbc;
  private final boolean requireTransaction;
  private final SQLExceptionTranslator translator = new SQLExceptionSubclassTranslator();

  /**
   * @param dataSource of the transactions, whose database has Ebb's schema
   * @param requireTransaction whether a submit without a transaction is refused
   */
  public EbbTemplate(EbbJdbc ebb, DataSource dataSource, boolean requireTransaction) {
    this.ebb = ebb;
    this.dataSource = bound(dataSource);
    this.ofJdbc = new OfJdbc(this.dataSource);
    this.requireTransaction = requireTransaction;
  }

  /** The one under which managers of transactions keep their connection. */
  private static DataSource bound(DataSource given) {
    return given instanceof TransactionAwareDataSourceProxy proxy
        ? Objects.requireNonNull(proxy.getTargetDataSource())
        : given;
  }

  /**
   * Whose transactions these are.
   *
   * @return the data source, without a proxy that joins transactions
   */
  public DataSource dataSource() {
    return dataSource;
  }

  /** Submits a job with every default. */
  public Submitted submit(String kind, Object args) {
    return submit(job(kind, args));
  }

  /** Submits a job with what the options say: {@code job -> job.queue("merchants")}. */
  public <T> Submitted submit(String kind, T args, UnaryOperator<Job<T>> options) {
    return submit(options.apply(job(kind, args)));
  }

  @SuppressWarnings("unchecked") // what has this class is one of its instances
  private static <T> Job<T> job(String kind, T args) {
    return JobKind.of(kind, (Class<T>) args.getClass()).job(args);
  }

  /**
   * Submits a job.
   *
   * @throws dev.ebb.client.InvalidJob if a field breaks its rule
   * @throws dev.ebb.client.TryAgain if the transaction has to begin anew
   * @throws IllegalTransactionStateException if it is not one to submit in
   * @throws DataAccessException if the database failed
   */
  public Submitted submit(Job<?> job) {
    return isInTransaction()
        ? joined(connection -> ebb.submit(connection, job))
        : translated(() -> ebb.submit(dataSource, job));
  }

  /** Submits up to 1,000 jobs in one round trip: all of them, or none. */
  public List<Submitted> submit(List<? extends Job<?>> jobs) {
    return isInTransaction()
        ? joined(connection -> ebb.submit(connection, jobs))
        : translated(() -> ebb.submit(dataSource, jobs));
  }

  /** Whether there is one to join; an exception if there is one that must not be. */
  private boolean isInTransaction() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      require(
          !requireTransaction,
          "a job is submitted without a transaction, and ebb.require-transaction is set: call it"
              + " from a method that is @Transactional");
      return false;
    }
    // As a listener after the commit sees it: still bound, and never committed again.
    require(
        TransactionSynchronizationManager.isSynchronizationActive(),
        "a job is submitted after the end of its transaction, which stores nothing any more: call"
            + " it from a method of another bean with @Transactional(propagation = REQUIRES_NEW)");
    require(
        !TransactionSynchronizationManager.isCurrentTransactionReadOnly(),
        "a job is submitted in a transaction that is read-only: leave out readOnly, or call it"
            + " from a method of another bean with @Transactional(propagation = REQUIRES_NEW)");
    require(
        isOwn(),
        "a job is submitted in a transaction that is not one of Ebb's data source, so it would"
            + " not roll back with it: name the right manager in @Transactional, or the right data"
            + " source in ebb.data-source");
    return true;
  }

  /**
   * Whether a manager of the data source began it: one of JPA, which binds a handle of its own, or
   * one of JDBC. In the transaction of any other, a mere statement binds a connection, too.
   */
  private boolean isOwn() {
    return TransactionSynchronizationManager.getResource(dataSource)
            instanceof ConnectionHolder held
        && held.getConnectionHandle() != null
        && (!(held.getConnectionHandle() instanceof SimpleConnectionHandle) || ofJdbc.isBegun());
  }

  /** Spring tells only a manager of JDBC whether a transaction of JDBC has begun. */
  private static final class OfJdbc extends DataSourceTransactionManager {
    @Serial private static final long serialVersionUID = 1L;

    OfJdbc(DataSource dataSource) {
      super(dataSource);
    }

    boolean isBegun() {
      return isExistingTransaction(doGetTransaction());
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalTransactionStateException(rule);
    }
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private <T> T joined(Work<T> work) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return translated(() -> work.on(connection));
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private interface Call<T> {
    T go() throws SQLException;
  }

  private <T> T translated(Call<T> call) {
    try {
      return call.go();
    } catch (SQLException e) {
      DataAccessException known = translator.translate("submit", null, e);
      throw known == null ? new UncategorizedSQLException("submit", null, e) : known;
    }
  }
}
