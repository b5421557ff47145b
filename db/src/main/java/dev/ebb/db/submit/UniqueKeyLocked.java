package dev.ebb.db.submit;

import dev.ebb.db.connection.SqlStates;
import java.io.Serial;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import org.jspecify.annotations.Nullable;

/**
 * Says that a job was not stored because a transaction that has not ended holds its unique key, or
 * held it a moment ago: whether the job is a duplicate is not known yet. The submit may be tried
 * again.
 */
public final class UniqueKeyLocked extends SQLTransientException {
  @Serial private static final long serialVersionUID = 1L;

  private final @Nullable String uniqueKey;

  UniqueKeyLocked(@Nullable String uniqueKey, SQLException cause) {
    super(
        "another transaction holds, or a moment ago held, "
            + (uniqueKey == null
                ? "one of the unique keys"
                : "the unique key \"" + uniqueKey + "\"")
            + ": nothing was stored, and the submit may be tried again",
        SqlStates.LOCKED,
        cause);
    this.uniqueKey = uniqueKey;
  }

  /** The job's; {@code null} if there are more jobs, and it is one of theirs. */
  public @Nullable String uniqueKey() {
    return uniqueKey;
  }
}
