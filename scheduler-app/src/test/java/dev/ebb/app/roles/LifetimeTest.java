package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifetimeTest {
  private final List<String> closed = new ArrayList<>();
  private final Lifetime lifetime = new Lifetime();

  @Test
  void parts_are_closed_in_the_opposite_order_of_their_start() {
    lifetime.add(part("database"));
    lifetime.add(part("api"));
    lifetime.add(part("worker"));

    lifetime.close();

    assertThat(closed).containsExactly("worker", "api", "database");
  }

  @Test
  void a_part_that_fails_to_close_does_not_keep_the_others_open() {
    lifetime.add(part("database"));
    lifetime.add(() -> {
      throw new IllegalStateException("stuck");
    });

    lifetime.close();

    assertThat(closed).containsExactly("database");
  }

  @Test
  void a_part_that_starts_after_the_end_is_closed_at_once() {
    lifetime.close();

    lifetime.add(part("late"));

    assertThat(closed).containsExactly("late");
  }

  @Test
  void closing_twice_closes_each_part_once() {
    lifetime.add(part("database"));

    lifetime.close();
    lifetime.close();

    assertThat(closed).containsExactly("database");
  }

  private AutoCloseable part(String name) {
    return () -> closed.add(name);
  }
}
