package dev.ebb.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.launcher.Checkout.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script finds, and what it starts. */
class LauncherTest {
  @TempDir private Path folder;
  private Checkout checkout;

  @BeforeEach
  void layOut() throws IOException {
    checkout = Checkout.in(folder);
  }

  @Test
  void help_and_version_need_neither_a_build_nor_java() throws Exception {
    Path resources = Path.of("src/main/resources/dev/ebb/app/help.txt");
    Path copy = checkout.repository().resolve("scheduler-app").resolve(resources);
    Files.createDirectories(copy.getParent());
    Files.copy(resources, copy);

    String help = Files.readString(resources);
    assertThat(checkout.ebb(Map.of(), "help")).isEqualTo(new Run(0, help));
    assertThat(checkout.ebb(Map.of())).isEqualTo(new Run(0, help));
    assertThat(checkout.ebb(Map.of(), "--help")).isEqualTo(new Run(0, help));
    Run version = checkout.ebb(Map.of(), "version");
    assertThat(version.exitCode()).isZero();
    assertThat(version.output()).matches("ebb \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
  }

  @Test
  void without_a_jdk_25_it_says_so_in_one_sentence() throws Exception {
    Run run = checkout.ebb(Map.of(), "api");

    assertThat(run.output())
        .isEqualTo(
            "ebb: A JDK 25 is missing: install one (for example Temurin 25 from"
                + " https://adoptium.net) or point JAVA_HOME at it.\n");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void another_jdk_than_25_is_passed_over() throws Exception {
    Path jdk = checkout.jdk("jdk-17", "JAVA_VERSION=\"17.0.9\"\n");

    assertThat(checkout.ebb(Map.of("JAVA_HOME", jdk.toString()), "api").output())
        .startsWith("ebb: A JDK 25 is missing");
  }

  @Test
  void a_jdk_is_found_by_java_home_and_on_the_path_and_in_the_home_folder() throws Exception {
    checkout.builtJar();
    Map<String, String> variables = checkout.jdk();
    Path jdk = Path.of(variables.get("JAVA_HOME"));
    Path home = Files.createDirectories(folder.resolve("home/.sdkman/candidates/java"));

    assertThat(checkout.ebb(variables, "api").output()).startsWith("java --enable");

    Path java = Files.createSymbolicLink(checkout.bin().resolve("java"), jdk.resolve("bin/java"));
    assertThat(checkout.ebb(Map.of(), "api").output()).startsWith("java --enable");

    Files.delete(java);
    Files.move(jdk, home.resolve("25-tem"));
    assertThat(checkout.ebb(Map.of("HOME", folder.resolve("home").toString()), "api").output())
        .startsWith("java --enable");
  }

  @Test
  void without_maven_it_says_so_in_one_sentence() throws Exception {
    Run run = checkout.ebb(checkout.jdk(), "api");

    assertThat(run.output()).startsWith("ebb: Maven 3.8.6 or newer is missing: install it");
    assertThat(run.output().lines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void the_bench_and_its_peers_are_built_only_for_the_bench() throws Exception {
    Map<String, String> variables = checkout.jdk();
    Path bench = checkout.repository().resolve("bench");
    Path sources = Files.createDirectories(bench.resolve("src/main"));
    Files.createDirectories(bench.resolve("target"));
    Files.createDirectories(checkout.jar().getParent());
    checkout.maven("touch scheduler-app/target/ebb.jar\necho a.jar:b.jar >bench/target/class-path");

    assertThat(checkout.ebb(variables, "api").output())
        .endsWith("/scheduler-app/target/ebb.jar api\n");
    checkout.awaitTick();
    Files.writeString(sources.resolve("A.java"), "class A");
    assertThat(checkout.ebb(variables, "api").output()).startsWith("java --enable");
    assertThat(checkout.ebb(variables, "bench", "--quick").output())
        .endsWith("/bench/target/classes:a.jar:b.jar dev.ebb.bench.Bench --quick\n");

    assertThat(checkout.builds())
        .satisfiesExactly(
            api -> assertThat(api).endsWith("package -pl scheduler-app -am"),
            last ->
                assertThat(last)
                    .endsWith("package -f bench/reactor.pom.xml -pl :scheduler-bench -am"));
  }

  @Test
  void the_demo_is_a_jar_of_its_own_which_is_built_only_for_the_demo() throws Exception {
    Map<String, String> variables = checkout.jdk();
    Path demo = checkout.repository().resolve("scheduler-demo");
    Path sources = Files.createDirectories(demo.resolve("src/main/java"));
    Files.createDirectories(demo.resolve("target"));
    Files.createDirectories(checkout.jar().getParent());
    checkout.maven("touch scheduler-app/target/ebb.jar scheduler-demo/target/ebb-demo.jar");

    assertThat(checkout.ebb(variables, "demo").output())
        .startsWith("ebb: building, ")
        .endsWith("-jar " + demo + "/target/ebb-demo.jar\n");
    assertThat(checkout.ebb(variables, "api").output()).startsWith("java --enable");
    checkout.awaitTick();
    Files.writeString(sources.resolve("A.java"), "class A");
    assertThat(checkout.ebb(variables, "api").output()).startsWith("java --enable");
    assertThat(checkout.builds()).hasSize(1);
    assertThat(checkout.ebb(variables, "demo", "twice").output()).endsWith("/ebb-demo.jar twice\n");

    assertThat(checkout.builds())
        .hasSize(2)
        .allMatch(call -> call.endsWith("package -pl scheduler-demo -am"));
  }

  @Test
  void arguments_and_exit_code_are_passed_on() throws Exception {
    checkout.builtJar();

    Run run = checkout.ebb(checkout.jdk(), "api", "a b");

    assertThat(run.output()).endsWith("/scheduler-app/target/ebb.jar api a b\n");
    assertThat(run.exitCode()).isEqualTo(7);
  }
}
