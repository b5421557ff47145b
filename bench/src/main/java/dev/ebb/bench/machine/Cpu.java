package dev.ebb.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The processor time of PostgreSQL, read from Linux's /proc. */
public final class Cpu {
  private static final Path PROC = Path.of("/proc");

  /** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
  private static final long MICROS_PER_TICK = 10_000;

  /** Positions after the command's closing parenthesis, of which there may be more before. */
  private static final int PARENT = 1;

  private static final int FIRST_TIME = 11;
  private static final int TIMES = 4;

  private record Line(long pid, long parent, long ticks) {}

  private Cpu() {}

  /**
   * The microseconds that the process, its children and those of them that have ended used; empty
   * where there is no /proc.
   */
  public static OptionalLong microsOfTree(long root) {
    List<Line> all = processes();
    long ticks = 0;
    boolean found = false;
    Deque<Long> pending = new ArrayDeque<>(List.of(root));
    while (!pending.isEmpty()) {
      long pid = pending.remove();
      for (Line line : all) {
        if (line.pid == pid) {
          ticks += line.ticks;
          found = true;
        } else if (line.parent == pid) {
          pending.add(line.pid);
        }
      }
    }
    return found ? OptionalLong.of(ticks * MICROS_PER_TICK) : OptionalLong.empty();
  }

  /** The microseconds that a process and those that it started used. */
  public static long microsOf(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants())
        .mapToLong(Cpu::microsOfOne)
        .sum();
  }

  private static long microsOfOne(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1000;
  }

  private static List<Line> processes() {
    List<Line> all = new ArrayList<>();
    try (Stream<Path> entries = Files.list(PROC)) {
      entries
          .filter(entry -> entry.getFileName().toString().matches("\\d+"))
          .forEach(entry -> {
            try {
              all.add(parse(Files.readString(entry.resolve("stat"))));
            } catch (IOException ended) {
              // It is gone, and its parent has its time.
            }
          });
    } catch (IOException notLinux) {
      return List.of();
    }
    return all;
  }

  private static Line parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int i = FIRST_TIME; i < FIRST_TIME + TIMES; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    long pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
    return new Line(pid, Long.parseLong(fields[PARENT]), ticks);
  }
}
