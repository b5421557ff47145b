package dev.ebb.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What applications may call: it changes only where that is meant. */
class PublicApiTest {
  private static final Pattern TYPE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*");

  private static String signatures(String module, String packageName) throws Exception {
    Path folder = Path.of("..", module, "target", "classes").resolve(packageName.replace('.', '/'));
    return Signatures.of(packageName, classes(folder));
  }

  private static List<String> classes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class"))
          .map(name -> name.replace(".class", ""))
          .sorted()
          .toList();
    }
  }

  /**
   * A line that is missing breaks an application; one that is new has to be kept from then on. On a
   * change that is meant, copy the file that this test writes over the committed one.
   */
  @ParameterizedTest
  @CsvSource({
    "client, ebb-client, dev.ebb.client",
    "contract, scheduler-contract, dev.ebb.contract",
    "starter, ebb-spring-boot-starter, dev.ebb.spring",
    "test, ebb-spring-boot-test, dev.ebb.spring.test"
  })
  void the_public_signatures_are_the_committed_ones(String part, String module, String packageName)
      throws Exception {
    String file = part + "-signatures.txt";
    String signatures = signatures(module, packageName);

    Files.writeString(Path.of("target").resolve(file), signatures);
    assertThat(signatures)
        .isEqualTo(
            Files.readString(Path.of("src/test/resources/dev/ebb/spring/test").resolve(file)));
  }

  @Test
  void no_public_signature_of_the_client_shows_a_librarys_type() throws Exception {
    assertThat(foreign(signatures("ebb-client", "dev.ebb.client"))).isEmpty();
    assertThat(foreign("  f(dev.ebb.contract.Job): int")).containsExactly("dev.ebb.contract.Job");
  }

  private static List<String> foreign(String signatures) {
    return TYPE.matcher(signatures)
        .results()
        .map(MatchResult::group)
        .filter(type ->
            !type.matches("(dev\\.ebb\\.client|java\\.\\w+(\\.\\w+)*|javax\\.sql)\\.[A-Z]\\w*"))
        .toList();
  }
}
