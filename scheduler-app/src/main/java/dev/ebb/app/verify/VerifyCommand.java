package dev.ebb.app.verify;

import dev.ebb.app.settings.CannotStart;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Checks the signature of an exported history, and says what it proves. */
public final class VerifyCommand {
  private static final String USAGE =
      """
      ./ebb verify FILE --key KEYS   checks the exported history of a job

      KEYS is a file with the answer of GET /v1/export-keys, or with one public key as PEM.
      Get it from the cluster itself, not from the person who sent FILE.\
      """;

  private VerifyCommand() {}

  /**
   * Does what the arguments say.
   *
   * @throws CannotStart if they are wrong, or the file does not prove what it says
   */
  public static void run(List<String> arguments, PrintStream out) {
    if (arguments.size() != 3 || !arguments.get(1).equals("--key")) {
      throw CannotStart.wrongUse(USAGE);
    }
    KnownKeys keys = KnownKeys.read(text(arguments.get(2)), arguments.get(2));
    SignedFile file = SignedFile.read(text(arguments.getFirst()), arguments.getFirst());
    String key = file.signer(keys);
    ExportWords.of(file.content(), key).forEach(out::println);
  }

  private static String text(String name) {
    try {
      return Files.readString(Path.of(name));
    } catch (IOException | InvalidPathException unreadable) {
      throw CannotStart.unable(name + " cannot be read as text: " + unreadable.getMessage() + ".");
    }
  }
}
