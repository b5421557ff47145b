package dev.ebb.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.launcher.Checkout.Run;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the script builds, and that one of them does at a time. */
class LauncherBuildTest {
  private static final String MAKE_JAR = "echo new >scheduler-app/target/ebb.jar\n";

  @TempDir private Path folder;
  private Checkout checkout;
  private Map<String, String> jdk;

  @BeforeEach
  void layOut() throws IOException {
    checkout = Checkout.in(folder);
    jdk = checkout.jdk();
    Files.createDirectories(checkout.jar().getParent());
  }

  private Path source(String name) {
    return checkout.repository().resolve("scheduler-app/src/main").resolve(name);
  }

  private void requireBuild() throws Exception {
    int before = checkout.builds().size();
    assertThat(checkout.ebb(jdk, "api").output())
        .startsWith("ebb: building, which takes half a minute")
        .contains("java --enable")
        .doesNotContain("mvn -q");
    assertThat(checkout.builds()).hasSize(before + 1);
  }

  private void requireNoBuild() throws Exception {
    assertThat(checkout.ebb(jdk, "api").output()).startsWith("java --enable");
  }

  @Test
  void it_builds_once_without_the_checks() throws Exception {
    checkout.maven(MAKE_JAR);

    requireBuild();
    requireNoBuild();

    assertThat(checkout.builds()).allMatch(call -> call.contains(" -Pquick "));
  }

  @Test
  void it_does_not_build_again_what_maven_built_by_hand() throws Exception {
    checkout.maven(MAKE_JAR);
    checkout.builtJar();

    requireNoBuild();

    Files.writeString(source("A.java"), "class A");
    checkout.awaitTick();
    // In place of the one that the launcher built, whose stamp stays.
    requireBuild();
    checkout.awaitTick();
    Files.writeString(source("A.java"), "class A {}");
    checkout.awaitTick();
    Files.delete(checkout.jar());
    checkout.builtJar();
    requireNoBuild();
  }

  @Test
  void it_builds_again_after_a_source_was_changed_or_made_or_deleted() throws Exception {
    checkout.maven(MAKE_JAR);
    requireBuild();
    checkout.awaitTick();

    Files.writeString(source("A.java"), "class A");
    requireBuild();
    checkout.awaitTick();
    Files.writeString(source("A.java"), "class A {}");
    requireBuild();
    checkout.awaitTick();
    Files.delete(source("A.java"));
    requireBuild();
    requireNoBuild();
  }

  @Test
  void it_builds_again_after_a_source_was_changed_during_the_build() throws Exception {
    Files.writeString(source("A.java"), "class A");
    checkout.maven(MAKE_JAR + "[ -f once ] || echo >>scheduler-app/src/main/A.java\ntouch once\n");
    requireBuild();

    requireBuild();
    requireNoBuild();
  }

  @Test
  void a_second_one_waits_for_the_build_of_the_first_and_does_not_build_again() throws Exception {
    checkout.maven("until [ -f go ]; do sleep 0.05; done\n" + MAKE_JAR);
    Process first = checkout.start(jdk, "api");
    Checkout.await(() -> Files.exists(checkout.lock(), LinkOption.NOFOLLOW_LINKS));

    Process second = checkout.start(jdk, "worker");
    String line = "ebb: waiting for another ./ebb (process " + first.pid() + "), which builds here";
    assertThat(second.inputReader().readLine()).isEqualTo(line);
    Files.createFile(checkout.repository().resolve("go"));

    assertThat(Checkout.end(first).output()).endsWith("ebb.jar api\n");
    assertThat(Checkout.end(second).output()).doesNotContain("building").endsWith("worker\n");
    assertThat(checkout.builds()).hasSize(1);
    assertThat(checkout.lock()).doesNotExist();
  }

  /** Many at once: none starts what another one is still writing. */
  @Test
  void of_many_one_builds() throws Exception {
    checkout.maven("echo half >scheduler-app/target/ebb.jar\nsleep 0.5\n" + MAKE_JAR);
    Files.delete(Path.of(jdk.get("JAVA_HOME"), "bin/java"));
    Checkout.program(
        Path.of(jdk.get("JAVA_HOME"), "bin/java"), "#!/usr/bin/env bash\ncat \"${@: -2:1}\"\n");

    Process[] all = new Process[8];
    for (int i = 0; i < all.length; i++) {
      all[i] = checkout.start(jdk, "api");
    }

    for (Process one : all) {
      assertThat(Checkout.end(one).output()).endsWith("new\n").doesNotContain("half\n");
    }
    assertThat(checkout.builds()).hasSize(1);
  }

  @Test
  void the_lock_of_a_process_that_is_gone_does_not_count() throws Exception {
    checkout.maven(MAKE_JAR);
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.createDirectories(checkout.lock().getParent());
    Files.createSymbolicLink(checkout.lock(), Path.of(Long.toString(gone.pid())));

    requireBuild();
    assertThat(Files.exists(checkout.lock(), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void a_build_that_is_told_to_stop_stops_and_leaves_no_lock() throws Exception {
    checkout.maven("echo $$ >pid\nexec sleep 600\n");
    Process stopped = checkout.start(jdk, "api");
    Path pid = checkout.repository().resolve("pid");
    Checkout.await(() -> Files.exists(pid) && pid.toFile().length() > 1);
    long maven = Long.parseLong(Files.readString(pid).strip());

    stopped.toHandle().destroy();

    assertThat(Checkout.end(stopped).exitCode()).isEqualTo(143);
    assertThat(ProcessHandle.of(maven).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(Files.exists(checkout.lock(), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void a_failed_build_starts_nothing_and_leaves_no_lock() throws Exception {
    checkout.maven("echo a rule was broken\nexit 1\n");

    Run run = checkout.ebb(jdk, "api");

    assertThat(run.output()).endsWith("a rule was broken\nebb: The build failed: see above.\n");
    assertThat(run.output()).doesNotContain("java --enable");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Files.exists(checkout.lock(), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void a_program_that_runs_keeps_the_bytes_that_it_was_started_from() throws Exception {
    checkout.maven(MAKE_JAR);
    checkout.builtJar();
    Files.writeString(checkout.jar(), "old");
    try (InputStream running = Files.newInputStream(checkout.jar())) {
      checkout.awaitTick();
      Files.writeString(source("A.java"), "class A");
      requireBuild();

      assertThat(running.readAllBytes()).isEqualTo("old".getBytes(StandardCharsets.UTF_8));
      assertThat(checkout.jar()).hasContent("new");
    }
  }
}
