package dev.ebb.db.connection;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether a process can store, from what became of its own writes: while a disk is full, the
 * server serves reads as ever.
 *
 * <pre>
 *   beat, every ten seconds ──commit──▶ waits, or is refused: standby, read-only, no connection
 *   submit ──────────rows, commit──▶ refused: full disk, rights
 * </pre>
 *
 * <p>The beat writes no row of a table, so it does not notice that tables cannot grow. A beat that
 * had one grow would be refused while the others have room for many jobs. So it is a refused job
 * that tells, until another is stored; and for half a minute only, because a process that is not
 * ready may be sent none.
 */
public final class Storing {
  private static final Duration LONGEST_COMMIT = Duration.ofSeconds(2);
  private static final Duration TELLS = Duration.ofSeconds(30);

  /** Classes and states that are of no row: other jobs would be refused, too. */
  private static final Set<String> OF_ALL_JOBS =
      Set.of("53", "58", SqlStates.READ_ONLY, SqlStates.NO_RIGHT);

  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private volatile boolean isKnown;
  private volatile @Nullable Trouble beat;
  private volatile @Nullable Refusal job;
  private volatile @Nullable Commit commit;

  Storing() {
    this(InstantSource.system(), System::nanoTime);
  }

  Storing(InstantSource clock, LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** Something that writes. */
  @FunctionalInterface
  public interface Write<T> {
    T run() throws SQLException;
  }

  /**
   * Why nothing is stored.
   *
   * @param since by this machine's clock
   * @param why as a clause
   * @param state the SQLSTATE; empty where there is none
   */
  public record Trouble(Instant since, String why, String state) {}

  private record Refusal(Trouble trouble, long lastNanos) {}

  private record Commit(Instant since, long sinceNanos) {}

  /**
   * Submits jobs, and notes what becomes of it.
   *
   * @param isNew whether a job was stored, by the answer
   */
  public <T> T submit(Write<T> submit, Predicate<T> isNew) throws SQLException {
    try {
      T answer = submit.run();
      if (isNew.test(answer)) {
        stored();
      }
      return answer;
    } catch (SQLException e) {
      if (SqlStates.isIn(OF_ALL_JOBS, e.getSQLState())) {
        refused(e);
      }
      throw e;
    }
  }

  private void stored() {
    isKnown = true;
    if (job != null) {
      job = null;
    }
  }

  private void refused(SQLException failure) {
    isKnown = true;
    Refusal before = job;
    job = new Refusal(trouble(failure, before == null ? null : before.trouble), nanoTime());
  }

  private Trouble trouble(SQLException failure, @Nullable Trouble before) {
    String state = failure.getSQLState();
    return new Trouble(
        before == null ? clock.instant() : before.since,
        SqlStates.words(failure),
        state == null ? "" : state);
  }

  /** Does what the process does again and again, whether or not anybody submits. */
  public <T> T beat(Write<T> work) throws SQLException {
    try {
      T result = work.run();
      beat = null;
      return result;
    } catch (SQLException e) {
      beat = trouble(e, beat);
      throw e;
    } finally {
      isKnown = true;
    }
  }

  /** Commits what should be committed at once. */
  public <T> T commit(Write<T> work) throws SQLException {
    commit = new Commit(clock.instant(), nanoTime());
    try {
      return work.run();
    } finally {
      commit = null;
    }
  }

  /** Whether anything is known: the process has written, or tried to. */
  public boolean isKnown() {
    return isKnown;
  }

  /** Why nothing is stored now; {@code null} if it is, or nobody has tried. */
  public @Nullable Trouble trouble() {
    Trouble failed = beat;
    if (failed != null) {
      return failed;
    }
    Commit begun = commit;
    if (begun != null && isOlder(begun.sinceNanos, LONGEST_COMMIT)) {
      return new Trouble(begun.since, "a commit has waited for over two seconds", "");
    }
    Refusal refused = job;
    return refused == null || isOlder(refused.lastNanos, TELLS) ? null : refused.trouble;
  }

  private boolean isOlder(long nanos, Duration age) {
    return nanoTime() - nanos > age.toNanos();
  }

  private long nanoTime() {
    return nanoTime.getAsLong();
  }
}
