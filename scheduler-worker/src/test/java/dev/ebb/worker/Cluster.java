package dev.ebb.worker;

import dev.ebb.db.Sabotage;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Worker processes that can be killed and paused. */
final class Cluster implements AutoCloseable {
  private final DatabaseConfig database;
  private final String merchant;
  private final Duration lease;
  private final Guards guards;
  private final Path folder;
  private final List<Member> members = new ArrayList<>();
  private int started;

  /** What is left in of the guards that a test is about. */
  enum Guards {
    ALL,
    NO_FENCE,
    NO_QUEUE_LOCK,
    /** Due jobs are claimed whether it is their turn in their ordering key or not. */
    NO_TURN,
    /** What is counted, whether it is written or not. */
    LOOSE_TALLY
  }

  /** One process. */
  record Member(String name, Process process, Path refusals, Path log) {
    /** The process's own clock when it started. */
    Instant clock() throws IOException {
      try (BufferedReader lines = Files.newBufferedReader(log)) {
        return Instant.parse(lines.readLine());
      }
    }

    boolean isPrepared() throws IOException {
      return Files.size(log) > 0;
    }

    /** Lets a prepared process begin to work. */
    void begin() throws IOException {
      process.getOutputStream().close();
    }
  }

  Cluster(DatabaseConfig database, String merchant, Duration lease, Guards guards)
      throws IOException {
    this.database = database;
    this.merchant = merchant;
    this.lease = lease;
    this.guards = guards;
    this.folder = Files.createTempDirectory("ebb-cluster");
  }

  Member start() throws IOException {
    return start(Map.of());
  }

  /** Starts a process whose clock is wrong by so much, such as {@code +1h}. */
  Member startWithClock(String offset) throws IOException {
    return start(WrongClock.withOffset(offset));
  }

  private Member start(Map<String, String> environment) throws IOException {
    Member member = prepare(environment);
    member.begin();
    return member;
  }

  /** Starts a process that does not work before {@link Member#begin}. */
  Member prepare() throws IOException {
    return prepare(Map.of());
  }

  private synchronized Member prepare(Map<String, String> environment) throws IOException {
    String name = "node-" + ++started;
    Path refusals = folder.resolve(name);
    Path log = folder.resolve(name + ".log");
    String[] arguments = {database.url(), name, merchant, lease.toString(), refusals.toString()};
    List<String> command =
        switch (guards) {
          case ALL -> Sabotage.java(Node.class, arguments);
          case NO_FENCE -> Sabotage.javaWithoutFence(Node.class, arguments);
          case NO_TURN -> Sabotage.javaWithoutTurn(Node.class, arguments);
          case NO_QUEUE_LOCK -> Sabotage.javaWithoutQueueLock(Node.class, arguments);
          case LOOSE_TALLY -> Sabotage.javaWithLooseTally(Node.class, arguments);
        };
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    Member member = new Member(name, process, refusals, log);
    members.add(member);
    return member;
  }

  /** SIGKILL; the process is gone when this returns. */
  void kill(Member member) throws InterruptedException {
    member.process().destroyForcibly().waitFor();
  }

  /** SIGSTOP. */
  void pause(Member member) throws IOException, InterruptedException {
    signal(member, "STOP");
  }

  /** SIGCONT. */
  void goOn(Member member) throws IOException, InterruptedException {
    signal(member, "CONT");
  }

  private static void signal(Member member, String signal)
      throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, "" + member.process().pid()).start().waitFor();
  }

  /** How many settles the fence refused, as far as the processes could tell. */
  long refused() throws IOException {
    long refused = 0;
    for (Member member : members) {
      if (Files.exists(member.refusals())) {
        String count = Files.readString(member.refusals());
        refused += count.isEmpty() ? 0 : Long.parseLong(count);
      }
    }
    return refused;
  }

  @Override
  public void close() {
    members.forEach(member -> member.process().destroyForcibly());
  }
}
