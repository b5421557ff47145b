package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.connection.Database;
import dev.ebb.db.submit.SubmitGrant;
import java.sql.SQLException;
import java.util.List;

/** Lets an application's role of the database submit by SQL. */
public final class SubmitRole {
  private SubmitRole() {}

  /** Does so as the owner of the schema, and answers what the role may do now. */
  public static String grant(Settings settings, List<String> arguments) {
    if (arguments.size() != 1) {
      throw CannotStart.wrongUse(
          "./ebb grant-submit ROLE: name the database role as which your application connects.");
    }
    String role = arguments.getFirst();
    try (Database database = Database.open(settings.database())) {
      Schema.require(settings, database);
      return switch (SubmitGrant.grant(database, role)) {
        case DONE -> "The role " + role + " may call ebb.submit, ebb.submit_many and ebb.contract.";
        case NO_ROLE ->
            throw CannotStart.unable(
                "There is no role \"" + role + "\": make it by create role, and try again.");
        case NOT_OWNER ->
            throw CannotStart.unable(
                "Only the owner of the schema ebb may grant that: set EBB_DB_USER to the role that"
                    + " runs ./ebb migrate.");
      };
    } catch (SQLException failure) {
      throw Schema.unusable(settings.database(), failure);
    }
  }
}
