package dev.ebb.db.policy;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stores retry policies by name.
 *
 * <p>A job that names a policy gets a copy at its submit: no job changes behind its sender's back.
 * A queue that names one follows it: its row holds a copy, which is replaced in the transaction
 * that replaces the policy. So claims and settlements read no more than they did.
 */
public final class Policies {
  /** How many may be stored. */
  static final int MOST = 1_000;

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,62}");

  private static final String FIND =
      """
      select name, policy::text, created_at
      from ebb.policy
      where name = ?
      """;

  private static final String LOCK =
      """
      select name, policy::text, created_at
      from ebb.policy
      where name = ?
      for update
      """;

  // Nobody replaces or removes the policy before the queue that follows it is committed.
  private static final String FOLLOWED =
      """
      select name, policy::text, created_at
      from ebb.policy
      where name = ?
      for share
      """;

  private static final String ALL =
      """
      select name, policy::text, created_at
      from ebb.policy
      order by name
      limit ?
      """;

  private static final String IS_FULL =
      """
      select count(*) >= ? from (select from ebb.policy limit ?) stored
      """;

  // Of two that create the policy at a time, the second waits for the first, and inserts nothing.
  private static final String INSERT =
      """
      insert into ebb.policy (name, policy)
      values (?, ?::jsonb)
      on conflict (name) do nothing
      returning name, policy::text, created_at
      """;

  private static final String UPDATE =
      """
      update ebb.policy
      set policy = ?::jsonb
      where name = ?
      returning name, policy::text, created_at
      """;

  // It names the name, too: otherwise it would look as if an older node wrote another policy.
  private static final String UPDATE_FOLLOWERS =
      """
      update ebb.queue
      set policy = ?::jsonb, policy_name = policy_name
      where policy_name = ?
      """;

  private static final String FOLLOWERS =
      """
      select name
      from ebb.queue
      where policy_name = ?
      order by name
      limit 3
      """;

  private static final String REMOVE =
      """
      delete from ebb.policy
      where name = ?
      """;

  private final Database database;

  public Policies(Database database) {
    this.database = database;
  }

  /** A policy that was written, and whether there was none of its name before. */
  public record PolicyWrite(PolicyView policy, boolean created) {}

  /**
   * What came of a removal.
   *
   * @param followers up to three of the queues that follow the policy, which keep it from being
   *     removed
   */
  public record Removal(boolean existed, List<String> followers) {}

  /** The policy of that name, if one is stored; presets are not. */
  public Optional<PolicyView> find(String name) throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(one(connection, FIND, name)));
  }

  /** All that are stored, by name. */
  public List<PolicyView> all() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.list(connection, ALL, p -> p.integer(MOST), Policies::view));
  }

  /**
   * The policy of that name, which stays as it is until the transaction ends.
   *
   * @throws InvalidInput on the field {@code policy} if none is stored
   */
  public static RetryPolicy followed(Connection connection, String name) throws SQLException {
    PolicyView found = one(connection, FOLLOWED, name);
    if (found == null) {
      throw unknown(name);
    }
    return found.policy();
  }

  /** Says that neither a preset nor a stored policy has the name. */
  public static InvalidInput unknown(String name) {
    try {
      Presets.policy(name);
      return new InvalidInput("policy", "must be a stored policy");
    } catch (InvalidInput noPreset) {
      return new InvalidInput(
          "policy", noPreset.rule() + "; no stored policy has this name either");
    }
  }

  /**
   * Stores the policy under the name, and has the queues follow that name it. Jobs that are claimed
   * from then on fail by it, unless they have a policy of their own; how often a job may be started
   * was decided at its submit.
   *
   * @param condition told which policy there is, under its lock, empty for none; it throws to leave
   *     it so
   * @throws InvalidInput if the name breaks its rule or is a preset's, or {@value #MOST} are stored
   */
  public PolicyWrite put(
      String name, RetryPolicy policy, Act act, Consumer<Optional<PolicyView>> condition)
      throws SQLException {
    requireName(name);
    String json = PolicyJson.write(policy).toString();
    return database.inTransaction(connection -> {
      PolicyWrite written = null;
      PolicyView before = null;
      // Somebody may store it, or remove it, between two statements.
      while (written == null) {
        before = one(connection, LOCK, name);
        condition.accept(Optional.ofNullable(before));
        written = before == null ? create(connection, name, json) : replace(connection, name, json);
      }
      Audit.write(connection, act, "policy.put", name, changes(before, written.policy()));
      return written;
    });
  }

  private static Changes changes(@Nullable PolicyView before, @Nullable PolicyView after) {
    return new Changes()
        .add(
            "policy",
            before == null ? null : before.policy(),
            after == null ? null : after.policy());
  }

  /** Throws unless a policy may be stored under the name. */
  public static void requireName(String name) {
    require(
        NAME.matcher(name).matches() && !Presets.names().contains(name),
        "policy",
        "must be a lower-case letter or digit followed by at most 62 of those, '_', '.' or '-',"
            + " and not a preset");
  }

  private static @Nullable PolicyWrite create(Connection connection, String name, String json)
      throws SQLException {
    boolean isFull =
        Statements.one(
            connection, IS_FULL, p -> p.integer(MOST).integer(MOST), row -> row.getBoolean(1));
    require(!isFull, "policy", "must be one of at most " + MOST + " that are stored");
    PolicyView created =
        Statements.first(connection, INSERT, p -> p.text(name).text(json), Policies::view);
    return created == null ? null : new PolicyWrite(created, true);
  }

  private static PolicyWrite replace(Connection connection, String name, String json)
      throws SQLException {
    PolicyView replaced =
        Statements.one(connection, UPDATE, p -> p.text(json).text(name), Policies::view);
    Statements.update(connection, UPDATE_FOLLOWERS, p -> p.text(json).text(name));
    return new PolicyWrite(replaced, false);
  }

  /**
   * Removes the policy, unless queues follow it. Jobs keep their copies.
   *
   * @param condition as of {@link #put}; not asked where there is no policy
   */
  public Removal remove(String name, Act act, Consumer<Optional<PolicyView>> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      PolicyView before = one(connection, LOCK, name);
      if (before == null) {
        return new Removal(false, List.of());
      }
      condition.accept(Optional.of(before));
      List<String> followers =
          Statements.list(connection, FOLLOWERS, p -> p.text(name), row -> row.getString("name"));
      if (followers.isEmpty()) {
        Statements.update(connection, REMOVE, p -> p.text(name));
        Audit.write(connection, act, "policy.delete", name, changes(before, null));
      }
      return new Removal(true, followers);
    });
  }

  private static @Nullable PolicyView one(Connection connection, String sql, String name)
      throws SQLException {
    return Statements.first(connection, sql, p -> p.text(name), Policies::view);
  }

  private static PolicyView view(ResultSet row) throws SQLException {
    return new PolicyView(
        row.getString("name"),
        StoredSettings.policy(row.getString("policy"), StoredSettings.DEFAULT_POLICY),
        Rows.instant(row, "created_at"));
  }
}
