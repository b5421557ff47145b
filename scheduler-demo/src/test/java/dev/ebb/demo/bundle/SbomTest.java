package dev.ebb.demo.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
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
            .map(one -> new Library(one.get("name").asString(), one.get("version").asString()))
            .toList();

    assertThat(listed)
        .hasSizeGreaterThan(30)
        .containsExactlyInAnyOrderElementsOf(bundle.libraries());
  }

  @ParameterizedTest
  @MethodSource("bundles")
  void the_manifest_says_where_the_bill_of_materials_is(Bundle bundle) throws IOException {
    assertThat(bundle.text("META-INF/MANIFEST.MF"))
        .contains("Sbom-Location: " + SBOM)
        .contains("Sbom-Format: CycloneDX");
  }
}
