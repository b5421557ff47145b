package dev.ebb.app;

import dev.ebb.app.doctor.Doctor;
import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.roles.FunctionRole;
import dev.ebb.app.roles.Lifetime;
import dev.ebb.app.roles.Node;
import dev.ebb.app.roles.Resealing;
import dev.ebb.app.roles.Restoring;
import dev.ebb.app.roles.Schema;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Given;
import dev.ebb.app.settings.SecretFile;
import dev.ebb.app.settings.Settings;
import dev.ebb.app.tokens.TokenCommand;
import dev.ebb.app.verify.VerifyCommand;
import dev.ebb.db.access.FunctionGrant.Right;
import java.util.List;
import java.util.Map;

/** The executable: does what its first argument says. */
public final class Ebb {
  private Ebb() {}

  public static void main(String[] args) throws Exception {
    Program.run(() -> run(Arguments.of(args)));
  }

  private static void run(Arguments arguments) throws Exception {
    Command command = Command.of(arguments.words());
    switch (command) {
      case HELP -> System.out.print(Help.text());
      case VERSION -> System.out.println("ebb " + Program.version());
      case CONFIG -> config(arguments);
      case DOCTOR -> System.exit(doctor(arguments));
      case MIGRATE -> migrate(arguments);
      case CONFIRM -> confirm(arguments);
      case RESTORED -> restored(arguments);
      case RESUME -> resume(arguments);
      case RESEAL -> System.exit(reseal(arguments));
      case GRANT_SUBMIT -> grant(Right.SUBMIT, arguments);
      case GRANT_DEMAND -> grant(Right.DEMAND, arguments);
      case TOKEN -> token(arguments);
      case VERIFY -> verify(arguments.rest());
      case DEMO ->
          throw CannotStart.wrongUse(
              "The demo has a jar of its own, ebb-demo.jar, which ./ebb demo builds and starts.");
      case BUILD ->
          throw CannotStart.wrongUse(
              "This is ebb.jar, built: ./ebb build builds it in a clone of the repository.");
      case SERVER, API, WORKER, MERCHANT -> stay(command, Program.settings(arguments));
    }
  }

  private static void config(Arguments arguments) {
    Given given = Program.given(arguments, Map.of());
    ConfigCommand.print(given, System.out);
    var _ = Settings.read(given);
  }

  private static void stay(Command command, Settings settings) throws Exception {
    Logging.toConsole(settings);
    settings.secretFiles().forEach(SecretFile::warnIfOpen);
    Program.stay(lifetime -> start(command, settings, lifetime));
  }

  private static void start(Command command, Settings settings, Lifetime lifetime)
      throws InterruptedException {
    switch (command) {
      case SERVER -> Node.startServer(settings, lifetime);
      case API -> Node.startApi(settings, lifetime);
      case WORKER -> Node.startWorker(settings, lifetime);
      case MERCHANT ->
          lifetime.add(
              Merchant.start(
                  settings.merchantHost(), settings.merchantPort(), settings.httpNames()));
      case DEMO,
          BUILD,
          HELP,
          VERSION,
          CONFIG,
          DOCTOR,
          MIGRATE,
          CONFIRM,
          RESTORED,
          RESUME,
          RESEAL,
          GRANT_SUBMIT,
          GRANT_DEMAND,
          TOKEN,
          VERIFY ->
          throw new AssertionError(command);
    }
  }

  private static void migrate(Arguments arguments) {
    Settings settings = Program.settings(arguments);
    Logging.toConsole(settings);
    settings.secretFiles().forEach(SecretFile::warnIfOpen);
    int applied = Schema.migrate(settings.database());
    System.out.println(
        applied == 0 ? "The schema is up to date." : "Migrations applied: " + applied + ".");
  }

  private static void confirm(Arguments arguments) {
    Logging.off();
    System.out.println(Restoring.confirm(Program.settings(arguments)));
  }

  private static void restored(Arguments arguments) {
    Logging.off();
    System.out.println(Restoring.restored(Program.settings(arguments)));
  }

  private static void resume(Arguments arguments) {
    Logging.off();
    System.out.println(Restoring.resume(Program.settings(arguments)));
  }

  private static int reseal(Arguments arguments) {
    Logging.off();
    return Resealing.run(Program.settings(arguments), System.out);
  }

  private static void grant(Right right, Arguments arguments) {
    Logging.off();
    System.out.println(FunctionRole.grant(Program.settings(arguments), right, arguments.rest()));
  }

  private static void token(Arguments arguments) {
    Logging.off();
    TokenCommand.run(Program.settings(arguments), arguments.rest(), System.out, System.err);
  }

  private static void verify(List<String> arguments) {
    Logging.off();
    VerifyCommand.run(arguments, System.out);
  }

  private static int doctor(Arguments arguments) {
    Logging.off();
    return Doctor.examine(Program.settings(arguments), System.out);
  }
}
