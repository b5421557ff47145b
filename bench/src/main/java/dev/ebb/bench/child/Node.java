package dev.ebb.bench.child;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Cpu;
import dev.ebb.bench.machine.Resident;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child process as the harness sees it. */
public final class Node implements AutoCloseable {
  /** A request that takes longer is given up, and the child with it. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Process process;
  private final PrintStream requests;
  private final BufferedReader answers;

  private Node(Process process) {
    this.process = process;
    this.requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  static Node start(Entrant entrant, String heap) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + heap,
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            entrant.id());
    return new Node(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /**
   * Asks and waits for the answer.
   *
   * @throws IOException if the child cannot do it, or is gone
   */
  public Answer ask(Request request) throws IOException {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    CompletableFuture<Boolean> watch = answered.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    var _ = watch.exceptionally(_ -> process.destroyForcibly().isAlive());
    requests.println(Lines.write(request));
    String line = answers.readLine();
    answered.complete(true);
    if (line == null) {
      throw new IOException("the child is gone");
    }
    Answer answer = Lines.answer(line);
    if (answer.failure() != null) {
      throw new IOException(answer.failure());
    }
    return answer;
  }

  /** After a failure its contender is still open, and would go on without its database. */
  public void closeContender() {
    try {
      var _ = ask(new Request.Close());
    } catch (IOException e) {
      System.err.println("a child did not close: " + e.getMessage());
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  public long cpuMicros() {
    return Cpu.microsOf(process.toHandle());
  }

  /** The memory that the process has, in megabytes; empty where there is no /proc. */
  public OptionalDouble residentMegabytes() {
    return Resident.megabytesOf(process.pid());
  }

  /** Ends the input, and with it the child. */
  @Override
  public void close() throws IOException, InterruptedException {
    requests.close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
