package dev.ebb.bench;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Server;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the figures come from: machine, versions, settings. */
final class Facts {
  private static final Pattern LIBRARY =
      Pattern.compile("/(postgresql|HikariCP|db-scheduler|jobrunr|quartz)-([0-9][^/]*)\\.jar");

  private Facts() {}

  static Map<String, String> of(Server server) throws SQLException {
    Map<String, String> facts = new TreeMap<>();
    facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put("machine", machine());
    facts.put(
        "Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    facts.put("libraries", libraries());
    for (Entrant entrant : Entrant.values()) {
      facts.put("set: " + entrant.title(), entrant.contender(Target.NOWHERE).settings());
    }
    try (Connection admin = Sql.connect(server.admin("postgres"))) {
      String version = Sql.text(admin, "show server_version");
      facts.put("PostgreSQL", version + ", " + server.kind());
      facts.put("PostgreSQL settings", "`" + settings(admin) + "`");
    }
    return facts;
  }

  /** Which state of the sources is measured, as far as git can tell. */
  static String commit(Path home) {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude=*")
              .directory(home.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String told = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return told.isBlank() ? "commit unknown" : "commit " + told.strip();
    } catch (IOException e) {
      return "commit unknown";
    }
  }

  /** As they are in force. */
  private static String settings(Connection admin) throws SQLException {
    List<String> settings = new ArrayList<>();
    for (String name : new TreeSet<>(Server.SETTINGS.keySet())) {
      settings.add(name + "=" + Sql.text(admin, "show " + name));
    }
    return String.join(", ", settings);
  }

  private static String machine() {
    long bytes =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    return "%s × %s, %s GB, %s %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            processor(),
            Math.round(bytes / (double) (1L << 30)),
            System.getProperty("os.name"),
            System.getProperty("os.version"));
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException notLinux) {
      return System.getProperty("os.arch");
    }
  }

  private static String libraries() {
    return LIBRARY
        .matcher(System.getProperty("java.class.path"))
        .results()
        .map(found -> found.group(1) + " " + found.group(2))
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
