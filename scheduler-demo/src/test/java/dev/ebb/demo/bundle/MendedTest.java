package dev.ebb.demo.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The bundled libraries, held against the versions in which their published weaknesses were mended.
 * It knows what stands in its table: a scanner knows more, where one can be reached.
 */
class MendedTest {
  private static final Map<String, String> MENDED_IN =
      Map.ofEntries(
          Map.entry("tomcat-embed-core", "11.0.25"),
          Map.entry("jackson-core", "3.1.6"),
          Map.entry("jackson-databind", "3.1.6"),
          Map.entry("spring-boot", "4.1.1"),
          Map.entry("spring-core", "7.0.9"),
          Map.entry("spring-expression", "7.0.9"),
          Map.entry("spring-web", "7.0.9"),
          Map.entry("spring-webmvc", "7.0.9"),
          Map.entry("postgresql", "42.7.13"),
          Map.entry("logback-classic", "1.5.38"),
          Map.entry("logback-core", "1.5.38"),
          Map.entry("httpclient5", "5.6.4"),
          Map.entry("commons-compress", "1.28.0"),
          Map.entry("commons-lang3", "3.20.0"));

  @Test
  void no_bundled_library_is_older_than_its_last_known_mend() throws IOException {
    assertThat(complaints(Bundle.PRODUCTION.libraries())).isEmpty();
    assertThat(complaints(Bundle.DEMO.libraries())).isEmpty();
  }

  @Test
  void every_name_in_the_table_is_that_of_a_bundled_library() throws IOException {
    assertThat(Bundle.DEMO.libraries())
        .extracting(Library::name)
        .containsAll(new TreeSet<>(MENDED_IN.keySet()));
  }

  @Test
  void a_library_that_is_older_is_complained_about() {
    List<Library> bundled =
        Stream.of("tomcat-embed-core-11.0.24.jar", "jackson-core-3.1.10.jar", "own-1.jar")
            .map(Library::of)
            .toList();

    assertThat(complaints(bundled))
        .containsExactly("tomcat-embed-core 11.0.24 is bundled, 11.0.25 mends what is known of it");
  }

  private static List<String> complaints(List<Library> libraries) {
    return libraries.stream()
        .filter(library ->
            library.isOlderThan(MENDED_IN.getOrDefault(library.name(), library.version())))
        .map(library ->
            "%s %s is bundled, %s mends what is known of it"
                .formatted(library.name(), library.version(), MENDED_IN.get(library.name())))
        .toList();
  }
}
