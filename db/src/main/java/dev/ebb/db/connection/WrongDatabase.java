package dev.ebb.db.connection;

import java.io.Serial;
import java.sql.SQLTransientConnectionException;

/**
 * A server takes writes, and is not Ebb's database: an old primary, or another cluster. Time may
 * mend it: the right one comes back, or people confirm this one.
 */
public final class WrongDatabase extends SQLTransientConnectionException {
  /** The state of these failures, which is none of PostgreSQL's. */
  static final String STATE = "EBB01";

  @Serial private static final long serialVersionUID = 1L;

  private final String why;

  WrongDatabase(String address, String why) {
    super(
        "the server at "
            + address
            + " is refused, because "
            + why
            + ". If it is to be Ebb's database from now on, say so with ./ebb confirm",
        STATE);
    this.why = why;
  }

  /** In words that follow "because". */
  String why() {
    return why;
  }
}
