package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JVM's folder for temporary files, where the server of the API keeps its own. */
public final class TemporaryFolder {
  /** What to do where it cannot be written to. */
  public static final String MEND =
      "mount one that can, in Kubernetes an emptyDir at /tmp, or name another by"
          + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=FOLDER";

  private TemporaryFolder() {}

  /** Where it is. */
  public static Path path() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Whether a file can be made there. */
  public static boolean isWritable() {
    return isWritable(path());
  }

  static boolean isWritable(Path folder) {
    try {
      Files.delete(Files.createTempFile(folder, "ebb", null));
      return true;
    } catch (IOException unwritable) {
      return false;
    }
  }

  /**
   * Looks before anything is started.
   *
   * @throws CannotStart if no file can be made there
   */
  static void require() {
    if (!isWritable()) {
      throw CannotStart.unable(
          "The folder for temporary files, " + path() + ", cannot be written to: " + MEND + ".");
    }
  }
}
