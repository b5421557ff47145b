package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.access.FunctionGrant;
import dev.ebb.db.access.FunctionGrant.Right;
import dev.ebb.db.connection.Database;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Lets a role of the database call functions of the schema. */
public final class FunctionRole {
  private FunctionRole() {}

  /** Does so as the owner of the schema, and answers what the role may do now. */
  public static String grant(Settings settings, Right right, List<String> arguments) {
    if (arguments.size() != 1) {
      throw CannotStart.wrongUse(
          "./ebb grant-%s ROLE: name the database role that is to call %s."
              .formatted(right.name().toLowerCase(Locale.ROOT), functions(right)));
    }
    String role = arguments.getFirst();
    try (Database database = Database.open(settings.database())) {
      Schema.require(settings, database);
      return switch (FunctionGrant.grant(database, right, role)) {
        case DONE -> "The role " + role + " may call " + functions(right) + ".";
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

  private static String functions(Right right) {
    return right.functions().stream().map("ebb."::concat).collect(Collectors.joining(", "));
  }
}
