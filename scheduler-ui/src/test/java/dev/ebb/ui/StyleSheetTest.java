package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StyleSheetTest {
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
