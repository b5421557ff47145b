package dev.ebb.cron;

import dev.ebb.db.Sabotage;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Processes that all fire the schedules of one database. */
final class FiringCluster implements AutoCloseable {
  private final DatabaseConfig database;
  private final Path folder;
  private final List<Member> alive = new ArrayList<>();
  private int started;

  private record Member(String name, Process process, Path log) {
    boolean fires() {
      try {
        return Files.size(log) > 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  FiringCluster(DatabaseConfig database) throws IOException {
    this.database = database;
    this.folder = Files.createTempDirectory("ebb-firing");
  }

  void start() throws IOException {
    String name = "node-" + ++started;
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(Sabotage.java(FiringNode.class, database.url(), name))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    alive.add(new Member(name, builder.start(), log));
  }

  boolean allFire() {
    return alive.stream().allMatch(Member::fires);
  }

  /** The names of those that say that they fire. */
  List<String> firing() {
    return alive.stream().filter(Member::fires).map(Member::name).toList();
  }

  /** Kills a node with SIGKILL, and starts another; answers whether it still lived. */
  boolean replace(String name) throws IOException, InterruptedException {
    Optional<Member> victim = alive.stream().filter(node -> node.name().equals(name)).findAny();
    if (victim.isEmpty()) {
      return false;
    }
    victim.get().process().destroyForcibly().waitFor();
    alive.remove(victim.get());
    start();
    return true;
  }

  /** Lets each of them end what is under way. */
  void stop() throws IOException, InterruptedException {
    for (Member member : alive) {
      member.process().getOutputStream().close();
    }
    for (Member member : alive) {
      if (!member.process().waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("does not stop: " + Files.readString(member.log()));
      }
    }
    alive.clear();
  }

  @Override
  public void close() {
    alive.forEach(member -> member.process().destroyForcibly());
  }
}
