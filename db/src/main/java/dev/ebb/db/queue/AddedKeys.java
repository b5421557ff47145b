package dev.ebb.db.queue;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.submit.StartKeys;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Adds signing keys by requests that may be repeated: a repeat adds none. */
public final class AddedKeys {
  private final Database database;

  public AddedKeys(Database database) {
    this.database = database;
  }

  /** What came of a request. */
  public sealed interface Answer {}

  /** It was the first with its idempotency key. */
  public record Added() implements Answer {}

  /**
   * An earlier request had the idempotency key.
   *
   * @param id of what that one added
   * @param repeated whether it was the same request
   * @param now the keys that the destination has now
   */
  public record Known(UUID id, Instant at, boolean repeated, List<SigningKey> now)
      implements Answer {}

  /** A request with the idempotency key is being served. */
  public record InFlight() implements Answer {}

  /** There is no such destination. */
  public record Unknown() implements Answer {}

  /**
   * Changes the keys of a destination, unless an earlier request with the idempotency key did.
   *
   * @param id of the key that is added, for a repeat
   * @param change told the keys as they are, under their lock; it throws to leave them so
   */
  public Answer add(
      String name, IdempotencyKey key, UUID id, UnaryOperator<List<SigningKey>> change, Act act)
      throws SQLException {
    return database.inTransaction(connection -> {
      LockedAddress locked = LockedAddress.of(connection, name);
      if (locked == null) {
        return new Unknown();
      }
      if (!StartKeys.lock(connection, key)) {
        return new InFlight();
      }
      StartKeys.Used used = StartKeys.look(connection, key);
      if (used != null) {
        return new Known(used.id(), used.at(), used.repeated(), locked.address().signing());
      }
      List<SigningKey> keys = change.apply(locked.address().signing());
      locked.changed(QueueRow.changeKeys(connection, name, keys), Queues.KEYS, act);
      StartKeys.keep(connection, key, id);
      return new Added();
    });
  }

  /** Notes that a repeat is about to be told the secret of a key. */
  public void told(String name, SigningKey key, Act act) throws SQLException {
    Changes which = new Changes().add("secret", null, key.id());
    database.inTransaction(connection -> {
      Audit.write(connection, act, "destination.keys_repeat", name, which);
      return key;
    });
  }
}
