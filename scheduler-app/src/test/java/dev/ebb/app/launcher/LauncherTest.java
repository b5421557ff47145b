package dev.ebb.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a copy of the script in a made-up repository, with made-up programs on its path. */
class LauncherTest {
  private static final String JDK_25 = "JAVA_VERSION=\"25.0.1\"\n";

  @TempDir private Path folder;
  private Path bin;
  private Path repository;

  @BeforeEach
  void layOut() throws IOException {
    bin = Files.createDirectories(folder.resolve("bin"));
    repository = Files.createDirectories(folder.resolve("repository"));
    Files.createDirectories(repository.resolve("scheduler-app/src/main"));
    Files.writeString(repository.resolve("pom.xml"), "<project/>");
    Files.writeString(repository.resolve("scheduler-app/pom.xml"), "<project/>");
    Files.copy(Path.of("..", "ebb"), repository.resolve("ebb"));
    // Where a JDK usually is must not be looked at: this machine has one there.
    String script = Files.readString(repository.resolve("ebb"));
    String usual = folder.resolve("none").toString();
    program(
        repository.resolve("ebb"),
        script.replace("/usr/lib/jvm/", usual + "/").replace("/opt/java/", usual + "/"));
    for (String tool :
        List.of(
            "bash",
            "dirname",
            "find",
            "head",
            "grep",
            "readlink",
            "touch",
            "mktemp",
            "cat",
            "rm")) {
      Path real = Path.of("/usr/bin", tool);
      Files.createSymbolicLink(
          bin.resolve(tool), Files.exists(real) ? real : Path.of("/bin", tool));
    }
  }

  @Test
  void without_a_jdk_25_it_says_so_in_one_sentence() throws Exception {
    Run run = ebb(Map.of());

    assertThat(run.output())
        .isEqualTo(
            "ebb: A JDK 25 is missing: install one (for example Temurin 25 from"
                + " https://adoptium.net) or point JAVA_HOME at it.\n");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void another_jdk_than_25_is_passed_over() throws Exception {
    Path jdk = jdk("jdk-17", "JAVA_VERSION=\"17.0.9\"\n");

    assertThat(ebb(Map.of("JAVA_HOME", jdk.toString())).output())
        .startsWith("ebb: A JDK 25 is missing");
  }

  @Test
  void a_jdk_is_found_by_java_home_and_on_the_path_and_in_the_home_folder() throws Exception {
    builtJar();
    Path jdk = jdk("jdk", JDK_25);
    Path home = Files.createDirectories(folder.resolve("home/.sdkman/candidates/java"));

    assertThat(ebb(Map.of("JAVA_HOME", jdk.toString())).output()).startsWith("java --enable");

    Files.createSymbolicLink(bin.resolve("java"), jdk.resolve("bin/java"));
    assertThat(ebb(Map.of()).output()).startsWith("java --enable");

    Files.delete(bin.resolve("java"));
    Files.move(jdk, home.resolve("25-tem"));
    assertThat(ebb(Map.of("HOME", folder.resolve("home").toString())).output())
        .startsWith("java --enable");
  }

  @Test
  void without_maven_it_says_so_in_one_sentence() throws Exception {
    Run run = ebb(Map.of("JAVA_HOME", jdk("jdk", JDK_25).toString()));

    assertThat(run.output()).startsWith("ebb: Maven 3.8.6 or newer is missing: install it");
    assertThat(run.output().lines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void it_builds_once_and_again_after_a_source_changed() throws Exception {
    Map<String, String> variables = Map.of("JAVA_HOME", jdk("jdk", JDK_25).toString());
    program(
        bin.resolve("mvn"),
        """
        #!/usr/bin/env bash
        echo "mvn $*"
        [ -d scheduler-app/target ] || exit 1
        touch scheduler-app/target/ebb.jar
        """);
    Path target = Files.createDirectories(repository.resolve("scheduler-app/target"));

    assertThat(ebb(variables).output())
        .startsWith("ebb: building once")
        .doesNotContain("mvn -q")
        .contains("java --enable");
    assertThat(ebb(variables).output()).startsWith("java --enable");

    Path source = Files.writeString(repository.resolve("scheduler-app/src/main/A.java"), "class A");
    Files.setLastModifiedTime(
        target.resolve("ebb.jar"),
        java.nio.file.attribute.FileTime.from(
            Files.getLastModifiedTime(source).toInstant().minusSeconds(10)));
    assertThat(ebb(variables).output()).startsWith("ebb: building once");
  }

  @Test
  void the_bench_and_its_peers_are_built_only_for_the_bench() throws Exception {
    Map<String, String> variables = Map.of("JAVA_HOME", jdk("jdk", JDK_25).toString());
    program(bin.resolve("mvn"), "#!/usr/bin/env bash\necho \"mvn $*\" >>../mvn.log\n");
    Files.createDirectories(repository.resolve("scheduler-app/target"));
    Path target = Files.createDirectories(repository.resolve("bench/target"));
    Path source = Files.createDirectories(repository.resolve("bench/src/main")).resolve("A.java");
    Files.writeString(target.resolve("class-path"), "a.jar:b.jar");

    assertThat(ebb(variables, "api").output()).endsWith("/scheduler-app/target/ebb.jar api\n");
    Files.writeString(source, "class A");
    assertThat(ebb(variables, "api").output()).startsWith("java --enable");
    assertThat(ebb(variables, "bench", "--quick").output())
        .endsWith("/bench/target/classes:a.jar:b.jar dev.ebb.bench.Bench --quick\n");

    assertThat(Files.readString(folder.resolve("mvn.log")).lines())
        .hasSize(2)
        .satisfiesExactly(
            api -> assertThat(api).endsWith("package -pl scheduler-app -am"),
            bench -> assertThat(bench).endsWith("package -pl bench -am"));
  }

  @Test
  void the_demo_is_a_jar_of_its_own_which_is_built_only_for_the_demo() throws Exception {
    Map<String, String> variables = Map.of("JAVA_HOME", jdk("jdk", JDK_25).toString());
    program(bin.resolve("mvn"), "#!/usr/bin/env bash\necho \"mvn $*\" >>../mvn.log\n");
    builtJar();
    Files.createDirectories(repository.resolve("scheduler-demo/target"));
    Path source = Files.createDirectories(repository.resolve("scheduler-demo/src/main/java"));

    assertThat(ebb(variables, "demo").output())
        .startsWith("ebb: building once")
        .endsWith("-jar " + repository + "/scheduler-demo/target/ebb-demo.jar\n");
    Files.writeString(source.resolve("A.java"), "class A");
    assertThat(ebb(variables, "api").output()).startsWith("java --enable");
    assertThat(ebb(variables, "demo", "twice").output()).endsWith("/ebb-demo.jar twice\n");

    assertThat(Files.readAllLines(folder.resolve("mvn.log")))
        .allMatch(call -> call.endsWith("package -pl scheduler-demo -am"))
        .isNotEmpty();
  }

  @Test
  void a_failed_build_starts_nothing() throws Exception {
    program(bin.resolve("mvn"), "#!/usr/bin/env bash\necho a rule was broken\nexit 1\n");

    Run run = ebb(Map.of("JAVA_HOME", jdk("jdk", JDK_25).toString()));

    assertThat(run.output()).endsWith("a rule was broken\nebb: The build failed: see above.\n");
    assertThat(run.output()).doesNotContain("java --enable");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void arguments_and_exit_code_are_passed_on() throws Exception {
    builtJar();
    Path jdk = jdk("jdk", JDK_25);

    Run run = ebb(Map.of("JAVA_HOME", jdk.toString()), "api", "a b");

    assertThat(run.output()).endsWith("/scheduler-app/target/ebb.jar api a b\n");
    assertThat(run.exitCode()).isEqualTo(7);
  }

  private void builtJar() throws IOException {
    Files.createDirectories(repository.resolve("scheduler-app/target"));
    Files.writeString(repository.resolve("scheduler-app/target/ebb.jar"), "");
  }

  private Path jdk(String name, String release) throws IOException {
    Path jdk = folder.resolve(name);
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), release);
    program(jdk.resolve("bin/java"), "#!/usr/bin/env bash\necho java \"$@\"\nexit 7\n");
    program(jdk.resolve("bin/javac"), "#!/usr/bin/env bash\n");
    return jdk;
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Run(int exitCode, String output) {}

  private Run ebb(Map<String, String> variables, String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("/bin/bash", repository.resolve("ebb").toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().putAll(variables);
    builder.redirectErrorStream(true);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), output);
  }
}
