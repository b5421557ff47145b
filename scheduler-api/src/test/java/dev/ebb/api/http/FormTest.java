package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.problem.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormTest {
  private static Form form(String body) {
    return Form.parse(ByteBuffer.wrap(body.getBytes(StandardCharsets.ISO_8859_1)));
  }

  @Test
  void a_field_is_decoded_and_may_come_more_than_once() {
    Form form = form("ids=1&name=a%20%C3%A9+b&ids=2&empty=&alone");

    assertThat(form.values("ids")).containsExactly("1", "2");
    assertThat(form.value("ids")).isEqualTo("2");
    assertThat(form.value("name")).isEqualTo("a é b");
    assertThat(form.value("empty")).isEmpty();
    assertThat(form.value("alone")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%FF", "a=%C3", "a=\u00ff", "%FF=a", "a=%zz", "a=%1", "a=%ED%A0%80"})
  void what_is_no_utf_8_is_refused(String body) {
    assertThatThrownBy(() -> form(body)).isInstanceOf(Refusal.class);
  }
}
