package dev.ebb.db.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.Sabotage;
import dev.ebb.db.settings.ClusterSettings;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The label of subjects, chosen at the instant at which an operation starts that looks for one. */
class LabelRaceTest {
  private Bench bench;

  @BeforeEach
  void open() {
    bench = new Bench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Optional<String> label() throws SQLException {
    return new ClusterSettings(bench.database).subject();
  }

  @Test
  void a_choice_waits_for_a_start_and_is_refused_for_its_operation() throws Exception {
    Optional<UUID> forbids = new LabelRace(bench).chooseBesideAStart();

    assertThat(forbids).isPresent();
    assertThat(bench.count("ebb.operation where id = '" + forbids.get() + "'")).isOne();
    assertThat(label()).isEmpty();
  }

  @Test
  void a_start_waits_for_a_choice_that_has_seen_no_operation() throws Exception {
    assertThat(new LabelRace(bench).doesAStartWaitForAChoice()).isTrue();

    assertThat(label()).contains("shop");
  }

  @Test
  void control_without_the_lock_of_the_settings_neither_waits_for_the_other() throws Exception {
    List<String> command =
        Sabotage.javaWith(
            List.of(SubjectOperations.class),
            sql -> sql.replace("for share", ""),
            LabelRace.class,
            bench.config.url());

    assertThat(Sabotage.lastLine(command)).isEqualTo("false false");
    assertThat(label()).as("under both operations").contains("shop");
  }
}
