package dev.ebb.bench.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.machine.Target;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LinesTest {

  static Stream<Request> requests() {
    return Stream.of(
        new Request.Open(new Target("jdbc:postgresql:x", "a", "b\n"), true, 4, 10, 2),
        new Request.Fill(0, 10, 5),
        new Request.FillLoud(10, 20),
        new Request.Limit(0.5),
        new Request.Submit(0, 10, 8),
        new Request.Start(),
        new Request.Fire(),
        new Request.Hold(3),
        new Request.Progress(),
        new Request.Pace(0, 10, 100, 8, true),
        new Request.Claims(1, 2, 3, true),
        new Request.Serve(true),
        new Request.Deliver(100),
        new Request.Runs(),
        new Request.Heap(),
        new Request.Used(),
        new Request.Stop(),
        new Request.Close());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void a_request_is_one_line_and_comes_back_as_it_was(Request request) {
    String line = Lines.write(request);

    assertThat(line).doesNotContain("\n");
    assertThat(Lines.request(line)).isEqualTo(request);
  }

  @Test
  void every_request_is_among_them() {
    assertThat(requests().map(Object::getClass))
        .containsExactlyInAnyOrder(Request.class.getPermittedSubclasses());
  }

  @Test
  void an_answer_is_one_line_and_comes_back_as_it_was() {
    for (Answer answer :
        List.of(
            Answer.of(2.5),
            Answer.of(List.of(1, 2)),
            Answer.failed(new IllegalStateException("two\nlines")))) {
      assertThat(Lines.write(answer)).doesNotContain("\n");
      assertThat(Lines.answer(Lines.write(answer))).isEqualTo(answer);
    }
  }
}
