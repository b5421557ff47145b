package dev.ebb.demo.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NoticeTest {
  /** A line of the table: a name and a licence. */
  private static final Pattern LINE = Pattern.compile("(?m)^ {2}(\\S+) {2,}(\\S.*)$");

  static Stream<Bundle> bundles() {
    return Stream.of(Bundle.PRODUCTION, Bundle.DEMO);
  }

  @ParameterizedTest
  @MethodSource("bundles")
  void every_bundled_library_is_listed_with_its_licence(Bundle bundle) throws IOException {
    assertThat(table(bundle)).containsAll(licences(bundle));
    assertThat(bundle.text("META-INF/LICENSE")).contains("Apache License");
  }

  @Test
  void nothing_is_listed_that_is_not_bundled() throws IOException {
    assertThat(licences(Bundle.DEMO)).containsAll(table(Bundle.DEMO));
  }

  @Test
  void the_demo_carries_the_licence_of_postgresql() throws IOException {
    assertThat(Bundle.DEMO.text("META-INF/licenses/PostgreSQL.txt"))
        .contains("The Regents of the University of California");
  }

  private static List<String> table(Bundle bundle) throws IOException {
    return LINE.matcher(bundle.text("META-INF/NOTICE"))
        .results()
        .map(line -> line.group(1) + ": " + line.group(2))
        .toList();
  }

  /**
   * What the bill of materials says of those that are not our own, whatever machine they are for.
   */
  private static List<String> licences(Bundle bundle) throws IOException {
    return JsonMapper.shared()
        .readTree(bundle.text("META-INF/sbom/application.cdx.json"))
        .get("components")
        .valueStream()
        .filter(one -> !one.get("name").asString().startsWith("scheduler-"))
        .filter(one -> !one.get("purl").asString().startsWith("pkg:npm/"))
        .map(one ->
            one.get("name").asString().replaceAll("-(linux|darwin)-.*", "") + ": " + licence(one))
        .toList();
  }

  private static String licence(JsonNode component) {
    return component
        .get("licenses")
        .valueStream()
        .map(one -> one.get("license"))
        .map(licence -> licence.has("id") ? licence.get("id") : licence.get("name"))
        .map(JsonNode::asString)
        .collect(Collectors.joining(" or "));
  }
}
