package dev.ebb.demo.bundle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SbomTest {
  private static final String SBOM = "META-INF/sbom/application.cdx.json";

  static Stream<Bundle> bundles() {
    return Stream.of(Bundle.PRODUCTION, Bundle.DEMO);
  }

  @ParameterizedTest
  @MethodSource("bundles")
  void the_bill_of_materials_lists_what_is_bundled_and_nothing_else(Bundle bundle)
      throws IOException {
    JsonNode sbom = JsonMapper.shared().readTree(bundle.text(SBOM));
    List<Library> listed =
        sbom.get("components")
            .valueStream()
            .filter(one -> !isScript(one))
            .map(one -> new Library(one.get("name").asString(), one.get("version").asString()))
            .toList();

    assertThat(listed)
        .hasSizeGreaterThan(30)
        .containsExactlyInAnyOrderElementsOf(bundle.libraries());
  }

  private static boolean isScript(JsonNode component) {
    return component.get("purl").asString().startsWith("pkg:npm/");
  }

  @ParameterizedTest
  @MethodSource("bundles")
  void it_lists_the_scripts_that_the_notice_names_too_as_they_are(Bundle bundle) throws Exception {
    String notice = bundle.text("META-INF/NOTICE").toLowerCase(Locale.ROOT);
    List<JsonNode> scripts =
        JsonMapper.shared()
            .readTree(bundle.text(SBOM))
            .get("components")
            .valueStream()
            .filter(SbomTest::isScript)
            .toList();

    assertThat(scripts).hasSize(2);
    for (JsonNode script : scripts) {
      String name = script.get("name").asString().replaceAll("\\.org", "");
      assertThat(notice).contains(name + " " + script.get("version").asString());
      String file = script.at("/properties/0/value").asString();
      try (InputStream in = SbomTest.class.getClassLoader().getResourceAsStream(file)) {
        byte[] digest =
            MessageDigest.getInstance("SHA-256").digest(requireNonNull(in, file).readAllBytes());
        assertThat(script.at("/hashes/0/content").asString())
            .isEqualTo(HexFormat.of().formatHex(digest));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("bundles")
  void the_manifest_says_where_the_bill_of_materials_is(Bundle bundle) throws IOException {
    assertThat(bundle.text("META-INF/MANIFEST.MF"))
        .contains("Sbom-Location: " + SBOM)
        .contains("Sbom-Format: CycloneDX");
  }
}
