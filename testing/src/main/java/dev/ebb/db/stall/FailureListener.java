package dev.ebb.db.stall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Judges each failure of a test, and lists those that do not count in {@code target/stalled.txt},
 * which {@code .ci/run} prints.
 */
public final class FailureListener implements TestExecutionListener {
  private static final Path STALLED = Path.of("target", "stalled.txt");

  private final Map<String, Long> starts = new ConcurrentHashMap<>();

  @Override
  public void executionStarted(TestIdentifier test) {
    starts.put(test.getUniqueId(), System.nanoTime());
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Long start = starts.remove(test.getUniqueId());
    if (start == null) {
      return;
    }
    result
        .getThrowable()
        .filter(_ -> result.getStatus() == TestExecutionResult.Status.FAILED)
        .ifPresent(cause -> judge(test, start, cause));
  }

  private static void judge(TestIdentifier test, long start, Throwable cause) {
    Duration longest = Failures.ALL.failed(test.getUniqueId(), start, cause);
    if (!longest.isZero()) {
      String what = name(test) + " failed, but the machine stood still for ";
      list(what + longest.toMillis() + " ms: " + shortened(cause) + "\n");
    }
  }

  private static String name(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .map(method -> ((MethodSource) method).getClassName() + ".")
        .orElse("")
        .concat(test.getLegacyReportingName());
  }

  private static String shortened(Throwable cause) {
    return cause.toString().lines().map(String::strip).limit(3).collect(Collectors.joining(" "));
  }

  private static synchronized void list(String line) {
    System.out.print(line);
    try {
      Files.writeString(STALLED, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
