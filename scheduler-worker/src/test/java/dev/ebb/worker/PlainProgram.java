package dev.ebb.worker;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.Map;

/**
 * A program that only starts a worker: nothing else in it keeps the process alive. It closes the
 * worker at the end of its standard input, or with a hook if it is told to end.
 */
final class PlainProgram {
  static final String MAIN_ENDS = "main ends";
  static final String CLOSED = "closed";

  private PlainProgram() {}

  /** Argument: database URL. */
  public static void main(String[] args) {
    Database database = Database.open(DatabaseConfig.of(args[0], "postgres", "postgres"));
    Worker worker =
        Worker.start(
            database,
            WorkerConfig.defaults(),
            Map.of(WorkerBench.KIND, _ -> Outcome.completed()),
            new SimpleMeterRegistry());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(worker)));
    Thread.ofPlatform().daemon().start(() -> closeAtEndOfInput(worker));
    System.out.println(MAIN_ENDS);
  }

  private static void closeAtEndOfInput(Worker worker) {
    try {
      System.in.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    close(worker);
  }

  private static synchronized void close(Worker worker) {
    worker.close();
    System.out.println(CLOSED);
  }
}
