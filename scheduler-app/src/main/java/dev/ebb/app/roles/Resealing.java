package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.health.Plain;
import dev.ebb.db.connection.Database;
import dev.ebb.db.queue.Reseal;
import dev.ebb.db.queue.Reseal.ExportKeySeal;
import dev.ebb.db.queue.Reseal.Report;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;

/** Encrypts all secrets anew, after a change of the key. */
public final class Resealing {
  private static final int NAMED = 10;

  private Resealing() {}

  /** Does so, and says what it did; answers the exit code, 1 if a secret could not be opened. */
  public static int run(Settings settings, PrintStream out) {
    if (!settings.secrets().canSeal()) {
      throw CannotStart.wrongUse(
          "reseal needs EBB_SECRETS_KEY or EBB_SECRETS_KEY_FILE: the new key, a comma and the old"
              + " one.");
    }
    try (Database database = Database.open(settings.database())) {
      Schema.require(settings, database);
      Report report = new Reseal(database, settings.secrets()).all(Machine.user());
      out.println(words(report, settings.secrets().ids().getFirst()));
      return isWhole(report) ? 0 : 1;
    } catch (SQLException failure) {
      throw Schema.unusable(settings.database(), failure);
    }
  }

  private static boolean isWhole(Report report) {
    return report.unopened().isEmpty() && report.exportKey() != ExportKeySeal.UNOPENED;
  }

  private static String words(Report report, String key) {
    return """
    Key %s: of the secrets of %s destinations, %s were sealed anew and %s had been already.
    %s%s\
    """
        .formatted(
            key,
            Plain.number(report.destinations()),
            Plain.number(report.anew()),
            Plain.number(report.current()),
            switch (report.exportKey()) {
              case NONE -> "";
              case ANEW -> "The key that signs exports was sealed anew.\n";
              case CURRENT -> "The key that signs exports was sealed by it already.\n";
              case UNOPENED ->
                  "No key here opens the one that signs exports: POST /v1/export-keys makes a new"
                      + " one.\n";
            },
            report.unopened().isEmpty()
                ? isWhole(report) ? "Nothing is sealed by another key." : ""
                : "No key here opens secrets of: " + names(report.unopened()) + ".");
  }

  private static String names(List<String> destinations) {
    String first = String.join(", ", destinations.stream().limit(NAMED).toList());
    int more = destinations.size() - NAMED;
    return more > 0 ? first + " and " + Plain.number(more) + " more" : first;
  }
}
