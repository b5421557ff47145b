package dev.ebb.db.queue;

import dev.ebb.core.access.Act;
import dev.ebb.core.signing.ExportKey;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.SealedAnew;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Seals the secrets of all destinations, and the key that signs exports, with the key that seals
 * now, {@value #BATCH} destinations in a transaction. Nodes may run meanwhile, and it may be
 * stopped and run again at any time.
 */
public final class Reseal {
  private static final int BATCH = 100;

  private static final String PAGE =
      """
      select q.name, q.destination::text as destination
      from ebb.queue q
      where q.destination is not null
        and q.name > ?
      order by q.name
      limit ?
      """;

  // What somebody has changed since it was read is left to the next walk.
  private static final String WRITE =
      """
      update ebb.queue
      set destination = ?::jsonb
      where name = ?
        and destination = ?::jsonb
      """;

  private static final String EXPORT_KEY =
      """
      select id, sealed
      from ebb.export_key
      where sealed is not null
      """;

  private static final String WRITE_EXPORT_KEY =
      """
      update ebb.export_key
      set sealed = ?
      where id = ?
        and sealed = ?
      """;

  private final Database database;
  private final SecretBox box;
  private final SecureRandom random = new SecureRandom();

  public Reseal(Database database, SecretBox box) {
    this.database = database;
    this.box = box;
  }

  private record Row(String name, String destination) {}

  /**
   * What was done.
   *
   * @param destinations that have a secret
   * @param anew how many of their secrets were sealed anew, or for the first time
   * @param current how many the key had sealed already
   * @param unopened the destinations with a secret that no key of the box opens
   * @param exportKey what became of the key that signs exports
   */
  public record Report(
      int destinations, int anew, int current, List<String> unopened, ExportKeySeal exportKey) {}

  /** What became of the key that signs exports. */
  public enum ExportKeySeal {
    NONE,
    ANEW,
    CURRENT,
    UNOPENED
  }

  private record Exported(String id, String sealed) {}

  /** What a walk through all destinations has come to. */
  private static final class Walk {
    private int destinations;
    private int anew;
    private int current;
    private int missed;
    private final List<String> unopened = new ArrayList<>();
  }

  /** Seals all that another key has sealed. */
  public Report all(Act act) throws SQLException {
    int anew = 0;
    while (true) {
      Walk walk = walk(act);
      anew += walk.anew;
      if (walk.missed == 0) {
        int current = walk.current - (anew - walk.anew);
        return new Report(
            walk.destinations, anew, Math.max(0, current), walk.unopened, exportKey(act));
      }
    }
  }

  /** A rotation that comes first has sealed its own by the key of its node. */
  private ExportKeySeal exportKey(Act act) throws SQLException {
    while (true) {
      Optional<ExportKeySeal> seal =
          database.inTransaction(connection -> exportKey(connection, act));
      if (seal.isPresent()) {
        return seal.get();
      }
    }
  }

  /** Empty where somebody else has changed it meanwhile. */
  private Optional<ExportKeySeal> exportKey(Connection connection, Act act) throws SQLException {
    Exported key =
        Statements.first(
            connection,
            EXPORT_KEY,
            _ -> {},
            row -> new Exported(row.getString("id"), row.getString("sealed")));
    if (key == null) {
      return Optional.of(ExportKeySeal.NONE);
    }
    if (box.isCurrent(key.sealed)) {
      return Optional.of(ExportKeySeal.CURRENT);
    }
    String context = ExportKey.context(key.id);
    Optional<byte[]> secret = box.open(key.sealed, context);
    if (secret.isEmpty()) {
      return Optional.of(ExportKeySeal.UNOPENED);
    }
    String anew = box.seal(secret.get(), nonce(), context);
    int written =
        Statements.update(
            connection, WRITE_EXPORT_KEY, p -> p.text(anew).text(key.id).text(key.sealed));
    if (written == 0) {
      return Optional.empty();
    }
    Audit.write(connection, act, "secrets.reseal", box.ids().getFirst(), written);
    return Optional.of(ExportKeySeal.ANEW);
  }

  private Walk walk(Act act) throws SQLException {
    Walk walk = new Walk();
    String after = "";
    while (true) {
      String from = after;
      List<Row> page = database.inTransaction(connection -> batch(connection, from, walk, act));
      if (page.size() < BATCH) {
        return walk;
      }
      after = page.getLast().name();
    }
  }

  private List<Row> batch(Connection connection, String after, Walk walk, Act act)
      throws SQLException {
    List<Row> page =
        Statements.list(
            connection,
            PAGE,
            p -> p.text(after).integer(BATCH),
            row -> new Row(row.getString("name"), row.getString("destination")));
    int changed = 0;
    for (Row row : page) {
      changed += sealed(connection, row, walk);
    }
    if (changed > 0) {
      Audit.write(connection, act, "secrets.reseal", box.ids().getFirst(), changed);
    }
    return page;
  }

  /** How many rows it changed. */
  private int sealed(Connection connection, Row row, Walk walk) throws SQLException {
    SealedAnew.Result result = SealedAnew.of(row.name(), row.destination(), box, this::nonce);
    int written =
        result.anew() == 0
            ? 0
            : Statements.update(
                connection,
                WRITE,
                p -> p.text(result.json()).text(row.name()).text(row.destination()));
    boolean isMissed = result.anew() > 0 && written == 0;
    walk.missed += isMissed ? 1 : 0;
    walk.anew += isMissed ? 0 : result.anew();
    walk.current += result.current();
    walk.destinations += result.anew() + result.current() + result.unopened() > 0 ? 1 : 0;
    if (result.unopened() > 0) {
      walk.unopened.add(row.name());
    }
    return written;
  }

  private byte[] nonce() {
    byte[] nonce = new byte[SecretBox.NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }
}
