package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  @Test
  void a_line_has_an_empty_cell_for_what_is_not_there() {
    assertThat(Csv.line("a", null, 3)).isEqualTo("a,,3\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@sum"})
  void a_cell_is_no_formula(String text) {
    assertThat(Csv.cell(text)).isEqualTo("'" + text);
  }

  @Test
  void a_cell_with_a_sign_of_the_format_is_quoted() {
    assertThat(Csv.cell("a,b")).isEqualTo("\"a,b\"");
    assertThat(Csv.cell("a\"b")).isEqualTo("\"a\"\"b\"");
    assertThat(Csv.cell("a\nb")).isEqualTo("\"a\nb\"");
    assertThat(Csv.cell("")).isEmpty();
  }
}
