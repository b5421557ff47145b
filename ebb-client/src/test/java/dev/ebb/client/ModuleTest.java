package dev.ebb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.contract.Problem;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What applications need for the client and the contract. */
class ModuleTest {
  private static final Map<String, Path> MODULES =
      Map.of("client", Path.of("."), "contract", Path.of("../scheduler-contract"));

  /** The version of class files of Java 17. */
  private static final int JAVA_17 = 61;

  private static Path folder(String part) {
    return Objects.requireNonNull(MODULES.get(part))
        .resolve("target/classes/dev/ebb")
        .resolve(part);
  }

  private static List<String> classes(String part) throws IOException {
    try (Stream<Path> files = Files.list(folder(part))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class"))
          .map(name -> name.replace(".class", ""))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "contract"})
  void it_runs_on_java_17(String part) throws IOException {
    assertThat(classes(part)).hasSizeGreaterThan(20);
    for (String name : classes(part)) {
      try (DataInputStream file =
          new DataInputStream(Files.newInputStream(folder(part).resolve(name + ".class")))) {
        file.readInt();
        assertThat(file.readInt()).as(name).isEqualTo(JAVA_17);
      }
    }
  }

  /** Among classes of the JDK, its own, and the contract's. */
  @Test
  void it_needs_no_library() throws Exception {
    URL contract = Problem.class.getProtectionDomain().getCodeSource().getLocation();
    URL own = Job.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader alone =
        new URLClassLoader(new URL[] {own, contract}, ClassLoader.getPlatformClassLoader())) {
      for (String name : classes("client")) {
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

  @Test
  void without_a_library_values_are_refused_with_a_word_on_what_is_missing() throws Exception {
    URL contract = Problem.class.getProtectionDomain().getCodeSource().getLocation();
    URL own = Job.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader alone =
        new URLClassLoader(new URL[] {own, contract}, ClassLoader.getPlatformClassLoader())) {
      var find = alone.loadClass("dev.ebb.client.EbbJsons").getDeclaredMethod("ofClassPath");
      find.setAccessible(true);
      Object json = find.invoke(null);
      var encode = alone.loadClass("dev.ebb.client.EbbJson").getMethod("encode", Object.class);
      encode.setAccessible(true);

      assertThatThrownBy(() -> encode.invoke(json, 7))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasMessageContaining("add Jackson to the class path");
    }
  }

  record Paid(int order) {}

  @Test
  void both_jacksons_write_and_read_and_leave_out_what_a_type_does_not_have() {
    for (EbbJson json : List.of(new Jackson2Json(), new Jackson3Json())) {
      assertThat(json.encode(new Paid(7))).isEqualTo("{\"order\":7}");
      assertThat(json.decode("{\"order\":7,\"new\":1}", Paid.class)).isEqualTo(new Paid(7));
      assertThatThrownBy(() -> json.decode("{", Paid.class)).isInstanceOf(RuntimeException.class);
    }
    assertThat(EbbJsons.ofClassPath()).isInstanceOf(Jackson3Json.class);
  }
}
