package dev.ebb.app;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.core.NearMiss;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The words that the program understands. */
enum Command {
  DEMO("everything in one process, with its own PostgreSQL, a merchant and sample traffic"),
  SERVER("the API and a worker in one process"),
  API("the REST API"),
  WORKER("a worker, which serves health and metrics on EBB_HTTP_PORT"),
  MIGRATE("creates or updates the database schema"),
  TOKEN("creates, lists and revokes API tokens; ./ebb token says how"),
  VERIFY("checks the exported history of a job; ./ebb verify says how"),
  DOCTOR("checks Java, database, rights, clock and settings, and says how to fix them"),
  CONFIRM("confirms that this database is the one to use, after a move"),
  RESTORED("confirms a restored database, pauses the start, and reports what it holds"),
  RESUME("ends a paused start, after restored or EBB_START=paused"),
  RESEAL("encrypts all secrets with the first EBB_SECRETS_KEY, after a change of it"),
  MERCHANT("the echo merchant alone"),
  BUILD("builds ebb.jar if it is missing or old, in a clone of the repository"),
  HELP("this text"),
  VERSION("the version");

  private final String summary;

  Command(String summary) {
    this.summary = summary;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String summary() {
    return summary;
  }

  /** The command that the arguments name; none is a call for help. */
  static Command of(String... arguments) {
    if (arguments.length == 0 || List.of("-h", "--help").contains(arguments[0])) {
      return HELP;
    }
    List<String> words = Stream.of(values()).map(Command::word).toList();
    if (!words.contains(arguments[0])) {
      throw CannotStart.wrongUse(
          "There is no command \""
              + arguments[0]
              + "\"."
              + NearMiss.question(arguments[0], words)
              + " See ./ebb help.");
    }
    if (arguments.length > 1 && !List.of(TOKEN.word(), VERIFY.word()).contains(arguments[0])) {
      throw CannotStart.wrongUse(
          arguments[0]
              + " takes no arguments: settings are environment variables."
              + " See ./ebb help.");
    }
    return valueOf(arguments[0].toUpperCase(Locale.ROOT));
  }
}
