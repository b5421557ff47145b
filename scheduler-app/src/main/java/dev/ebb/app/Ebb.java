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
import dev.ebb.app.settings.SecretFile;
import dev.ebb.app.settings.Settings;
import dev.ebb.app.tokens.TokenCommand;
import dev.ebb.app.verify.VerifyCommand;
import dev.ebb.db.access.FunctionGrant.Right;
import java.util.List;

/** The executable: does what its first argument says. */
public final class Ebb {
  private Ebb() {}

  public static void main(String[] args) throws Exception {
    Program.run(() -> run(Command.of(args), args));
  }

  private static void run(Command command, String... arguments) throws Exception {
    switch (command) {
      case HELP -> System.out.print(Help.text());
      case VERSION -> System.out.println("ebb " + Program.version());
      case DOCTOR -> System.exit(doctor());
      case MIGRATE -> migrate();
      case CONFIRM -> confirm();
      case RESTORED -> restored();
      case RESUME -> resume();
      case RESEAL -> System.exit(reseal());
      case GRANT_SUBMIT -> grant(Right.SUBMIT, rest(arguments));
      case GRANT_DEMAND -> grant(Right.DEMAND, rest(arguments));
      case TOKEN -> token(rest(arguments));
      case VERIFY -> verify(rest(arguments));
      case DEMO ->
          throw CannotStart.wrongUse(
              "The demo has a jar of its own, ebb-demo.jar, which ./ebb demo builds and starts.");
      case BUILD ->
          throw CannotStart.wrongUse(
              "This is ebb.jar, built: ./ebb build builds it in a clone of the repository.");
      case SERVER, API, WORKER, MERCHANT -> stay(command, Program.settings());
    }
  }

  private static List<String> rest(String... arguments) {
    return List.of(arguments).subList(1, arguments.length);
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

  private static void migrate() {
    Settings settings = Program.settings();
    Logging.toConsole(settings);
    settings.secretFiles().forEach(SecretFile::warnIfOpen);
    int applied = Schema.migrate(settings.database());
    System.out.println(
        applied == 0 ? "The schema is up to date." : "Migrations applied: " + applied + ".");
  }

  private static void confirm() {
    Logging.off();
    System.out.println(Restoring.confirm(Program.settings()));
  }

  private static void restored() {
    Logging.off();
    System.out.println(Restoring.restored(Program.settings()));
  }

  private static void resume() {
    Logging.off();
    System.out.println(Restoring.resume(Program.settings()));
  }

  private static int reseal() {
    Logging.off();
    return Resealing.run(Program.settings(), System.out);
  }

  private static void grant(Right right, List<String> arguments) {
    Logging.off();
    System.out.println(FunctionRole.grant(Program.settings(), right, arguments));
  }

  private static void token(List<String> arguments) {
    Logging.off();
    TokenCommand.run(Program.settings(), arguments, System.out, System.err);
  }

  private static void verify(List<String> arguments) {
    Logging.off();
    VerifyCommand.run(arguments, System.out);
  }

  private static int doctor() {
    Logging.off();
    return Doctor.examine(Program.settings(), System.out);
  }
}
