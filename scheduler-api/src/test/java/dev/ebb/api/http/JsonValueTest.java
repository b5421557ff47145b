package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JsonValueTest {

  @Test
  void slices_are_the_text_itself_whatever_stands_around_them() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 5_000; i++) {
      String value = value(random, 3);
      String text =
          space(random)
              + "{"
              + space(random)
              + "\"a\""
              + space(random)
              + ":"
              + space(random)
              + value
              + space(random)
              + ","
              + space(random)
              + "\"b\":"
              + value
              + space(random)
              + "}"
              + space(random);

      JsonObject object = JsonObject.parse(text, 32);

      assertThat(object.value("a").text()).isEqualTo(value);
      assertThat(object.value("b").text()).isEqualTo(value);
      assertThat(JsonValue.of(value).tree()).isEqualTo(JsonMapper.shared().readTree(value));
    }
  }

  @Test
  void the_elements_of_a_long_list_are_sliced_too() {
    String value = "[" + "{\"é\": 1.50 } ,\n".repeat(20_000) + "7 ]";

    var elements = JsonValue.of(value).list(20_001);

    assertThat(elements).hasSize(20_001);
    assertThat(elements.get(19_999).text()).isEqualTo("{\"é\": 1.50 }");
    assertThat(elements.get(20_000))
        .extracting(JsonValue::text, JsonValue::pointer)
        .containsExactly("7", "/20000");
  }

  @Test
  void of_a_list_no_more_is_sliced_than_is_asked() {
    String value = "[1,2,3,4]";

    assertThat(JsonValue.of(value).list(3))
        .extracting(JsonValue::text)
        .containsExactly("1", "2", "3");
  }

  @Test
  void a_list_of_two_million_costs_no_memory_to_refuse() {
    String text = "{\"jobs\":[" + "1,".repeat(2_000_000) + "1]}";
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    assertThatThrownBy(() -> JsonObject.parse(text, 32).required("jobs").list(1001))
        .hasMessageContaining("/jobs must have at most 32768 elements");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8 << 20);
  }

  private static String value(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth == 0 ? 6 : 8)) {
      case 0 -> "null";
      case 1 -> random.nextBoolean() ? "true" : "false";
      case 2 -> Integer.toString(random.nextInt(2_000_000) - 1_000_000);
      case 3 -> random.nextInt(100) + "." + random.nextInt(10) + "0e" + random.nextInt(9);
      case 4 -> "\"" + "é😀x\\n\\u0041 ".repeat(random.nextInt(5)) + "\"";
      case 5 -> "\"" + "y".repeat(random.nextInt(5_000)) + "\"";
      case 6 ->
          "[" + value(random, depth - 1) + space(random) + "," + value(random, depth - 1) + "]";
      default -> "{\"k\"" + space(random) + ":" + value(random, depth - 1) + space(random) + "}";
    };
  }

  private static String space(SplittableRandom random) {
    return " \n\t\r  ".substring(0, random.nextInt(5));
  }
}
