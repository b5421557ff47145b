package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StyleSheetTest {
  private static final Pattern STATE = Pattern.compile("class=\"state ([a-z_]+)\"");

  /** One that is not closed takes what follows it for its own, and no browser complains. */
  @Test
  void every_part_begins_outside_of_all_blocks() throws IOException {
    int depth = 0;
    for (String line : styleSheet().lines().toList()) {
      if (line.startsWith("/*") || line.startsWith("@")) {
        assertThat(depth).as(line).isZero();
      }
      depth += count(line, '{') - count(line, '}');
    }
    assertThat(depth).isZero();
  }

  /** Without one it is a word like any other, whatever it warns of. */
  @Test
  void every_state_that_a_page_names_has_a_look() throws IOException {
    String styles = styleSheet();
    Set<String> named = new TreeSet<>();
    try (Stream<Path> templates = Files.list(Path.of("src", "main", "jte"))) {
      for (Path template : templates.toList()) {
        STATE.matcher(Files.readString(template)).results().forEach(one -> named.add(one.group(1)));
      }
    }

    assertThat(named)
        .contains("dead", "held")
        .allSatisfy(state ->
            assertThat(styles)
                .containsPattern("\\.state\\." + state + "[ ,]")
                .contains(".state." + state + "::before"));
  }

  private static int count(String line, char wanted) {
    return (int) line.chars().filter(one -> one == wanted).count();
  }

  private static String styleSheet() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(StyleSheetTest.class.getResourceAsStream("files/ebb.css"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
