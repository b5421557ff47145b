package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Moment;
import dev.ebb.core.access.Act;
import dev.ebb.db.connection.Confirmation;
import dev.ebb.db.connection.Confirmation.Confirmed;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.connection.Identity;
import dev.ebb.db.event.EventLog;
import dev.ebb.db.start.PausedStart;
import dev.ebb.db.start.Restoration;
import dev.ebb.db.start.Restoration.Report;
import java.sql.SQLException;
import java.time.Duration;

/** What people do on the machine with a database that was moved or restored. */
public final class Restoring {
  /** For what reads every row of a table. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Restoring() {}

  /** Has nodes go over to this database, and tells in a sentence what it is. */
  public static String confirm(Settings settings) {
    DatabaseConfig database = settings.database();
    return told(
        "The database cannot be confirmed",
        () -> sentence(database, Confirmation.confirm(database, EventLog::forgetAll)));
  }

  /** Makes a restored database ready and pauses the start; tells what it holds, in lines. */
  public static String restored(Settings settings) {
    DatabaseConfig database = settings.database().withStatementTimeout(PATIENCE);
    Act act = Machine.as("./ebb restored by " + Machine.user().actor());
    return told(
        "The database is not ready",
        () -> {
          Report report = Restoration.restored(database, act);
          return sentence(database, report.confirmed()) + "\n" + lines(report);
        });
  }

  /** Lets everything run, and tells in a sentence what was done. */
  public static String resume(Settings settings) {
    try (Database database = Database.open(settings.database())) {
      Schema.require(settings, database);
      PausedStart start = new PausedStart(database);
      boolean isPaused = start.read().isPaused();
      start.resume(Machine.user());
      return isPaused
          ? "Resumed: every node claims and fires within two seconds."
          : "The start is not paused: there is nothing to resume.";
    } catch (SQLException failure) {
      throw Schema.unusable(settings.database(), failure);
    }
  }

  /** What is asked of a database. */
  @FunctionalInterface
  private interface Question {
    String now() throws SQLException;
  }

  private static String told(String otherwise, Question asked) {
    try {
      return asked.now();
    } catch (SQLException failure) {
      throw Schema.failure(otherwise, failure);
    } catch (InvalidInput several) {
      throw CannotStart.wrongUse("EBB_DB_URL " + several.rule());
    }
  }

  private static String sentence(DatabaseConfig database, Confirmed confirmed) {
    Identity now = confirmed.now();
    return "The database at %s is confirmed: timeline %s of the system %s%s."
        .formatted(
            database.address(),
            now.timeline(),
            Long.toUnsignedString(now.systemIdentifier()),
            confirmed.before() == null ? "" : before(confirmed.before()));
  }

  private static String before(Identity before) {
    return "; it was timeline %s of the system %s, confirmed at %s"
        .formatted(
            before.timeline(),
            Long.toUnsignedString(before.systemIdentifier()),
            Moment.words(before.confirmedAt()));
  }

  private static String lines(Report report) {
    return """
    The start is paused: no node runs anything in it before ./ebb resume.
      leases      %s with %s jobs: those of nodes that are gone are rescued after the resume
      jobs due    %s, those under leases among them
      schedules   %s with missed fires%s, which are served by their rules
      operations  %s that go on
      events      forgotten: clients of the stream are told to begin anew
      sequences   %s\
    """
        .formatted(
            report.leases(),
            report.leasedJobs(),
            report.dueJobs(),
            report.lateSchedules(),
            report.firstMissed() == null
                ? ""
                : ", the first at " + Moment.words(report.firstMissed()),
            report.operations(),
            report.behind().isEmpty()
                ? "none was behind its table"
                : "were behind, and are no more: " + String.join(", ", report.behind()));
  }
}
