package dev.ebb.app;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.core.NearMiss;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
  CONFIG("shows every setting, and where its value comes from"),
  DOCTOR("checks Java, database, rights, clock and settings, and says how to fix them"),
  CONFIRM("confirms that this database is the one to use, after a move"),
  RESTORED("confirms a restored database, pauses the start, and reports what it holds"),
  RESUME("ends a paused start, after restored or EBB_START=paused"),
  RESEAL("encrypts all secrets with the first EBB_SECRETS_KEY, after a change of it"),
  GRANT_SUBMIT("lets a database role submit by SQL, and do nothing else; ./ebb grant-submit ROLE"),
  GRANT_DEMAND("lets a database role read how many workers are needed; ./ebb grant-demand ROLE"),
  MERCHANT("the echo merchant alone"),
  BUILD("builds ebb.jar if it is missing or old, in a clone of the repository"),
  HELP("this text"),
  VERSION("the version");

  private static final Set<Command> TAKE_ARGUMENTS =
      EnumSet.of(TOKEN, VERIFY, GRANT_SUBMIT, GRANT_DEMAND);

  private final String summary;

  Command(String summary) {
    this.summary = summary;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String summary() {
    return summary;
  }

  /** The command that the arguments name; none is a call for help. */
  static Command of(List<String> words) {
    if (words.isEmpty() || List.of("-h", "--help").contains(words.getFirst())) {
      return HELP;
    }
    Command command = named(words.getFirst());
    if (words.size() > 1 && !TAKE_ARGUMENTS.contains(command)) {
      throw CannotStart.wrongUse(words.getFirst() + Arguments.NO_OTHERS);
    }
    return command;
  }

  private static Command named(String word) {
    return Stream.of(values())
        .filter(command -> command.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            CannotStart.wrongUse(
                "There is no command \""
                    + word
                    + "\"."
                    + NearMiss.question(word, Stream.of(values()).map(Command::word).toList())
                    + " See ./ebb help."));
  }
}
