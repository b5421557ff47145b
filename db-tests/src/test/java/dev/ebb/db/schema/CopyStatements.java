package dev.ebb.db.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Makes the statements of this version those of the last release. It is run at a release, by its
 * name: no build runs it.
 */
class CopyStatements {
  private static final Path FOLDER = Path.of("src/test/resources/dev/ebb/db/schema/last-release");
  private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");
  private static final Pattern STATEMENT =
      Pattern.compile("(with|select|insert|update|delete|lock)\\s.*", Pattern.DOTALL);

  /** The statements of this version, by class and constant. */
  static Map<String, String> ofThisVersion() throws Exception {
    Map<String, String> statements = new TreeMap<>();
    for (Class<?> type : classes()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
          field.setAccessible(true);
          String text = ((String) field.get(null)).strip();
          if (STATEMENT.matcher(text).matches()) {
            statements.put(type.getSimpleName() + "." + field.getName(), text);
          }
        }
      }
    }
    return statements;
  }

  private static List<Class<?>> classes() throws Exception {
    return Packaged.names().stream()
        .filter(name -> name.endsWith(".class") && !name.contains("-info"))
        .map(name -> name.replace(".class", "").replace('/', '.'))
        .<Class<?>>map(CopyStatements::load)
        .toList();
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void the_statements_of_this_version_become_those_of_the_last_release() throws Exception {
    for (String name : LastRelease.verbs()) {
      Files.delete(FOLDER.resolve(name + ".sql"));
    }
    for (Map.Entry<String, String> statement : ofThisVersion().entrySet()) {
      Path file = FOLDER.resolve(statement.getKey() + ".sql");
      Files.writeString(file, statement.getValue() + "\n");
    }

    // Which release that is: .ci/upgrade compares it with the newest tag.
    MatchResult version =
        VERSION
            .matcher(Files.readString(Path.of("../pom.xml")))
            .results()
            .findFirst()
            .orElseThrow();
    Files.writeString(FOLDER.resolve("version"), version.group(1) + "\n");

    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.filter(file -> file.toString().endsWith(".sql")))
          .hasSize(ofThisVersion().size());
    }
  }
}
