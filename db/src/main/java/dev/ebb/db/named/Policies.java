package dev.ebb.db.named;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Stores retry policies by name.
 *
 * <p>A job that names a policy gets a copy at its submit: no job changes behind its sender's back.
 * A queue that names one follows it: its row holds a copy, which is replaced in the transaction
 * that replaces the policy. So claims and settlements read no more than they did.
 */
public final class Policies {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,62}");

  private static final NamedTable<RetryPolicy> TABLE =
      new NamedTable<>(
          "policy",
          "policy",
          "policy",
          json -> StoredSettings.policy(json, StoredSettings.DEFAULT_POLICY));

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

  private final Database database;

  public Policies(Database database) {
    this.database = database;
  }

  /**
   * What came of a removal.
   *
   * @param followers up to three of the queues that follow the policy, which keep it from being
   *     removed
   */
  public record Removal(boolean existed, List<String> followers) {}

  /** The policy of that name, if one is stored; presets are not. */
  public Optional<NamedSettings<RetryPolicy>> find(String name) throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(TABLE.find(connection, name)));
  }

  /** All that are stored, by name. */
  public List<NamedSettings<RetryPolicy>> all() throws SQLException {
    return database.inAutocommit(TABLE::all);
  }

  /**
   * The policy of that name, which stays as it is until the transaction ends.
   *
   * @throws InvalidInput on the field {@code policy} if none is stored
   */
  public static RetryPolicy followed(Connection connection, String name) throws SQLException {
    NamedSettings<RetryPolicy> found = TABLE.keep(connection, name);
    if (found == null) {
      throw unknown(name);
    }
    return found.settings();
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
   * @throws InvalidInput if the name breaks its rule or is a preset's, or {@value NamedTable#MOST}
   *     are stored
   */
  public NamedSettings.Write<RetryPolicy> put(
      String name,
      RetryPolicy policy,
      Act act,
      Consumer<Optional<NamedSettings<RetryPolicy>>> condition)
      throws SQLException {
    requireName(name);
    String json = PolicyJson.write(policy).toString();
    return database.inTransaction(connection -> {
      NamedSettings.Write<RetryPolicy> put = TABLE.put(connection, name, json, act, condition);
      if (!put.created()) {
        Statements.update(connection, UPDATE_FOLLOWERS, p -> p.text(json).text(name));
      }
      return put;
    });
  }

  /** Throws unless a policy may be stored under the name. */
  public static void requireName(String name) {
    require(
        NAME.matcher(name).matches() && !Presets.names().contains(name),
        "policy",
        "must be a lower-case letter or digit followed by at most 62 of those, '_', '.' or '-',"
            + " and not a preset");
  }

  /**
   * Removes the policy, unless queues follow it. Jobs keep their copies.
   *
   * @param condition as of {@link #put}; not asked where there is no policy
   */
  public Removal remove(
      String name, Act act, Consumer<Optional<NamedSettings<RetryPolicy>>> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      NamedSettings<RetryPolicy> before = TABLE.lock(connection, name);
      if (before == null) {
        return new Removal(false, List.of());
      }
      condition.accept(Optional.of(before));
      List<String> followers =
          Statements.list(connection, FOLLOWERS, p -> p.text(name), row -> row.getString("name"));
      if (followers.isEmpty()) {
        TABLE.remove(connection, before, act);
      }
      return new Removal(true, followers);
    });
  }
}
