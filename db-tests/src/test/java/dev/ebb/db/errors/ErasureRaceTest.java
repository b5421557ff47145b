package dev.ebb.db.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.Sabotage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dead letters that are erased and grouped at the same instant. */
class ErasureRaceTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void no_group_is_named_after_a_dead_letter_that_was_erased_while_the_group_was_made()
      throws Exception {
    assertThat(new ErasureRace(bench).namedAfterWhatIsErased()).isZero();

    assertThat(bench.count("ebb.dead_letter where error_group is null")).isOne();
  }

  @Test
  void a_group_that_gets_a_dead_letter_outlives_the_one_that_is_erased_meanwhile()
      throws Exception {
    assertThat(new ErasureRace(bench).inNoGroupThatIsThere()).isZero();

    assertThat(bench.count("ebb.dead_letter where error_group is not null")).isOne();
  }

  @Test
  void control_without_the_lock_of_the_groups_both_go_wrong() throws Exception {
    List<String> command =
        Sabotage.javaWith(
            List.of(EmptyGroups.class),
            sql -> sql.replace("pg_advisory_xact_lock(6644324, 0)", "1"),
            ErasureRace.class,
            bench.config.url());

    assertThat(Sabotage.lastLine(command)).isEqualTo("1 1");
  }
}
