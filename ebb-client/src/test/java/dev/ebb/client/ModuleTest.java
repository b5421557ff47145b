package dev.ebb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.contract.Problem;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the client does with the library for JSON that an application has, or without one. */
class ModuleTest {
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
