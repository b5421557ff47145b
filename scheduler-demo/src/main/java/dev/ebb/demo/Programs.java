package dev.ebb.demo;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * PostgreSQL's own programs, run one at a time to their end.
 *
 * @param output the file that takes what they print
 */
record Programs(Path folder, Path output) {
  private static final long SECONDS = 180;

  /** Runs one, and throws its complaint where it fails. */
  void run(String program, String... arguments) throws IOException {
    feed("", program, arguments);
  }

  /** Runs one that reads the text. */
  void feed(String text, String program, String... arguments) throws IOException {
    if (exitCode(text, program, arguments) != 0) {
      throw new IOException(complaint(program));
    }
  }

  /** Whether one ends with 0. */
  boolean succeeds(String program, String... arguments) throws IOException {
    return exitCode("", program, arguments) == 0;
  }

  private int exitCode(String text, String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(asSomebodyElseThanRoot());
    command.add(folder.resolve(program).toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    try {
      try (OutputStream input = process.getOutputStream()) {
        input.write(text.getBytes(StandardCharsets.UTF_8));
      } catch (IOException endedWithoutReading) {
        // Its exit code says why.
      }
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(program + " did not end within " + SECONDS + " s");
      }
      return process.exitValue();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException(program + " was interrupted", stopped);
    }
  }

  /** The last line in which the program speaks of itself. */
  private String complaint(String program) throws IOException {
    try (Stream<String> lines = Files.lines(output)) {
      return lines
          .filter(line -> line.startsWith(program + ": ") || line.contains("FATAL: "))
          .reduce((_, last) -> last)
          .orElse(program + " failed");
    }
  }

  /** PostgreSQL refuses to run as root, so root gives itself another name in a user namespace. */
  private static List<String> asSomebodyElseThanRoot() {
    return isRoot() ? List.of("unshare", "--user") : List.of();
  }

  static boolean isRoot() {
    return new UnixSystem().getUid() == 0;
  }
}
