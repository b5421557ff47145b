package dev.ebb.worker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A wall clock that is wrong, for one process, by libfaketime. Its monotonic clock stays right. */
final class WrongClock {
  private WrongClock() {}

  /** Whether libfaketime is here, as Debian installs it. */
  static boolean isAvailable() throws IOException {
    return !libraries().isEmpty();
  }

  /** libfaketime, to be called only where it is. */
  static Path library() throws IOException {
    return libraries().getFirst();
  }

  /** What a process has to find in its environment, with an offset such as {@code +1h}. */
  static Map<String, String> withOffset(String offset) throws IOException {
    Map<String, String> environment = new HashMap<>(environment(library().toString()));
    environment.put("FAKETIME", offset);
    return environment;
  }

  /** What a process has to find in its environment, with the library at that path. */
  static Map<String, String> environment(String library) {
    return Map.of(
        "LD_PRELOAD",
        library,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // With it, timed waits of a JVM end at once or late.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }

  private static List<Path> libraries() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-*")) {
      for (Path folder : folders) {
        Path library = folder.resolve("faketime/libfaketimeMT.so.1");
        if (Files.exists(library)) {
          found.add(library);
        }
      }
    }
    return found;
  }
}
