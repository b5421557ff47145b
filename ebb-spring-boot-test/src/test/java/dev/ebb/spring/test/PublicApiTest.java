package dev.ebb.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.client.Job;
import dev.ebb.contract.Problem;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What applications may call, which changes only where that is meant, and what they need for it.
 */
class PublicApiTest {
  private static final Pattern TYPE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*");

  /** The version of class files of Java 17. */
  private static final int JAVA_17 = 61;

  private static Path folder(String module, String packageName) {
    return Path.of("..", module, "target", "classes").resolve(packageName.replace('.', '/'));
  }

  private static String signatures(String module, String packageName) throws Exception {
    return Signatures.of(packageName, classes(folder(module, packageName)));
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

  @ParameterizedTest
  @CsvSource({"ebb-client, dev.ebb.client", "scheduler-contract, dev.ebb.contract"})
  void the_client_and_its_records_run_on_java_17(String module, String packageName)
      throws IOException {
    Path folder = folder(module, packageName);
    assertThat(classes(folder)).hasSizeGreaterThan(20);
    for (String name : classes(folder)) {
      try (DataInputStream file =
          new DataInputStream(Files.newInputStream(folder.resolve(name + ".class")))) {
        file.readInt();
        assertThat(file.readInt()).as(name).isEqualTo(JAVA_17);
      }
    }
  }

  /** Among classes of the JDK, its own, and the contract's. */
  @Test
  void the_client_needs_no_library() throws Exception {
    URL contract = Problem.class.getProtectionDomain().getCodeSource().getLocation();
    URL own = Job.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader alone =
        new URLClassLoader(new URL[] {own, contract}, ClassLoader.getPlatformClassLoader())) {
      for (String name : classes(folder("ebb-client", "dev.ebb.client"))) {
        if (!name.startsWith("Jackson") && !name.equals("package-info")) {
          Class<?> loaded = Class.forName("dev.ebb.client." + name, true, alone);
          assertThat(loaded.getDeclaredMethods()).isNotNull();
        }
      }
      Object builder =
          alone
              .loadClass("dev.ebb.client.EbbHttp")
              .getMethod("at", URI.class)
              .invoke(null, URI.create("http://localhost"));
      Object http = builder.getClass().getMethod("build").invoke(builder);
      assertThat(http.getClass().getClassLoader()).isSameAs(alone);
      Class<?> kinds = alone.loadClass("dev.ebb.client.JobKind");
      Object text = kinds.getMethod("json", String.class).invoke(null, "paid");
      assertThat(kinds.getMethod("job", Object.class).invoke(text, "{}")).isNotNull();
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
