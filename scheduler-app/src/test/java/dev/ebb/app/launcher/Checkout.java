package dev.ebb.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A made-up repository with a copy of the script, and made-up programs on its path. */
record Checkout(Path folder) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String JDK_25 = "JAVA_VERSION=\"25.0.1\"\n";
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "dirname",
          "find",
          "grep",
          "head",
          "ln",
          "mkdir",
          "mktemp",
          "ps",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "touch");

  record Run(int exitCode, String output) {}

  static Checkout in(Path folder) throws IOException {
    Checkout checkout = new Checkout(folder);
    Path repository = Files.createDirectories(checkout.repository());
    Files.createDirectories(repository.resolve("scheduler-app/src/main"));
    Files.copy(Path.of("..", "pom.xml"), repository.resolve("pom.xml"));
    Files.writeString(repository.resolve("scheduler-app/pom.xml"), "<project/>");
    // Where a JDK usually is must not be looked at: this machine has one there.
    String usual = folder.resolve("none").toString();
    String script = Files.readString(Path.of("..", "ebb"));
    program(
        repository.resolve("ebb"),
        script.replace("/usr/lib/jvm/", usual + "/").replace("/opt/java/", usual + "/"));
    Files.createDirectories(checkout.bin());
    for (String tool : TOOLS) {
      Path real = Path.of("/usr/bin", tool);
      Files.createSymbolicLink(
          checkout.bin().resolve(tool), Files.exists(real) ? real : Path.of("/bin", tool));
    }
    return checkout;
  }

  Path bin() {
    return folder.resolve("bin");
  }

  Path repository() {
    return folder.resolve("repository");
  }

  Path jar() {
    return repository().resolve("scheduler-app/target/ebb.jar");
  }

  Path lock() {
    return repository().resolve("target/build.lock");
  }

  /** As Maven leaves it: with the fixed time of a reproducible build. */
  void builtJar() throws IOException {
    Files.createDirectories(jar().getParent());
    Files.writeString(jar(), "");
    Files.setLastModifiedTime(jar(), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
  }

  /** A JDK 25, as variables for the script. */
  Map<String, String> jdk() throws IOException {
    return Map.of("JAVA_HOME", jdk("jdk", JDK_25).toString());
  }

  /** One whose java tells its arguments and ends with 7. */
  Path jdk(String name, String release) throws IOException {
    Path jdk = folder.resolve(name);
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), release);
    program(jdk.resolve("bin/java"), "#!/usr/bin/env bash\necho java \"$@\"\nexit 7\n");
    program(jdk.resolve("bin/javac"), "#!/usr/bin/env bash\n");
    return jdk;
  }

  /** A Maven that notes its call in {@link #builds}, and then does what the script says. */
  void maven(String script) throws IOException {
    program(
        bin().resolve("mvn"),
        "#!/usr/bin/env bash\necho \"mvn $*\" >>" + folder.resolve("mvn.log") + "\n" + script);
  }

  /** The calls of Maven so far. */
  List<String> builds() throws IOException {
    Path log = folder.resolve("mvn.log");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  Run ebb(Map<String, String> variables, String... arguments) throws Exception {
    return end(start(variables, arguments));
  }

  Process start(Map<String, String> variables, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", repository().resolve("ebb").toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().put("PATH", bin().toString());
    builder.environment().putAll(variables);
    builder.redirectErrorStream(true);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  static Run end(Process process) throws Exception {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), output);
  }

  static void await(BooleanSupplier condition) {
    for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end; ) {
      if (condition.getAsBoolean()) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    throw new AssertionError("it did not come about");
  }

  /** Waits until files that are written bear a later time: the kernel's clock has ticks. */
  void awaitTick() throws IOException {
    Path probe = folder.resolve("probe");
    FileTime now = Files.getLastModifiedTime(Files.writeString(probe, ""));
    await(() -> {
      try {
        Files.delete(probe);
        return Files.getLastModifiedTime(Files.writeString(probe, "")).compareTo(now) > 0;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  static void program(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
