package dev.ebb.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  private static final Path HOME = Path.of("house");

  private static Options parse(String... arguments) {
    return Options.parse(List.of(arguments), HOME);
  }

  @Test
  void without_arguments_everything_is_measured_three_times() {
    Options options = parse();

    assertThat(options.only()).isEqualTo(Workloads.ids());
    assertThat(options.systems()).containsExactly(Entrant.values());
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.out()).isEqualTo(HOME.resolve("docs"));
  }

  @Test
  void a_run_can_be_narrowed() {
    Options options = parse("--only", "drain,idle", "--systems", "floor", "--quick");

    assertThat(options.only()).containsExactly("drain", "idle");
    assertThat(options.systems()).containsExactly(Entrant.FLOOR);
    assertThat(options.rounds()).isEqualTo(1);
    assertThat(options.scale()).isEqualTo(0.1);
  }

  @Test
  void what_does_not_exist_is_named() {
    assertThatThrownBy(() -> parse("--only", "drains")).hasMessageContaining("drains is none");
    assertThatThrownBy(() -> parse("--systems", "cron")).hasMessageContaining("cron is none");
    assertThatThrownBy(() -> parse("--fast")).hasMessageContaining("--fast is not an option");
    assertThatThrownBy(() -> parse("--out")).hasMessageContaining("--out needs a value");
    assertThatThrownBy(() -> parse("--rounds", "0")).hasMessageContaining("from 1 to 99");
    assertThatThrownBy(() -> parse("--rounds", "many")).hasMessageContaining("from 1 to 99");
  }

  @Test
  void the_usage_names_every_workload_and_system() {
    assertThat(Options.USAGE).contains(Workloads.ids()).contains(Entrant.ids());
  }
}
