package dev.ebb.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** The memory of a process that lies in the machine's, read from Linux's /proc. */
public final class Resident {
  private static final String LINE = "VmRSS:";

  private Resident() {}

  /** In megabytes; empty where there is no /proc. */
  public static OptionalDouble megabytesOf(long process) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(process), "status")).stream()
          .filter(line -> line.startsWith(LINE))
          .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
          .findFirst();
    } catch (IOException notLinux) {
      return OptionalDouble.empty();
    }
  }
}
