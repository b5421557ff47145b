package dev.ebb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Server;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Measurement;
import dev.ebb.bench.workload.Drain;
import dev.ebb.bench.workload.Round;
import dev.ebb.bench.workload.Workload;
import dev.ebb.bench.workload.Workloads;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bench itself, with a few hundred jobs, on the tests' PostgreSQL. */
@Proof
class SmokeTest {
  private static final Set<String> COUNTED_OTHERWISE =
      Set.of(
          "in-flight",
          "snapshot",
          "ended-leases",
          "schedules",
          "reads",
          "memory",
          "slow-answers",
          "polls",
          "one-loud-queue",
          "unserved");

  private static final double HUNDREDS = 0.002;
  private static final double THIRTIETH = 0.03;

  @FunctionalInterface
  private interface Script {
    void run(Round round) throws Exception;
  }

  /** A workload of the tests' own. */
  private record Scripted(Script script) implements Workload {
    @Override
    public String id() {
      return "scripted";
    }

    @Override
    public String sentence() {
      return "Does what the test says.";
    }

    @Override
    public Map<Figure, Double> run(Round round) throws Exception {
      script.run(round);
      return Map.of();
    }
  }

  private static List<Measurement> measure(Workload workload, Entrant entrant, double scale)
      throws Exception {
    List<Measurement> told = new ArrayList<>();
    try (Server server = Server.at(TestPostgres.shared().port());
        Harness harness = new Harness(server, scale, true, told::add)) {
      harness.measure(List.of(workload), List.of(entrant), 1);
    }
    assertThat(told).hasSize(1);
    return told;
  }

  @Test
  void in_a_drain_each_job_runs_once_and_its_cost_is_known() throws Exception {
    for (Entrant entrant : List.of(Entrant.EBB, Entrant.FLOOR)) {
      Measurement drain = measure(Workloads.of("drain"), entrant, HUNDREDS).getFirst();

      assertThat(drain.failure()).isNull();
      assertThat(drain.figures())
          .containsKeys(Figure.RATE, Figure.CPU_NODE, Figure.WAL_LIFE, Figure.STATEMENTS);
      assertThat(drain.figures().get(Figure.DEAD)).isBetween(1.0, 2.5);
    }
  }

  @Test
  void two_nodes_run_each_job_once() throws Exception {
    assertThat(measure(Workloads.of("drain-4q-2"), Entrant.EBB, THIRTIETH).getFirst().failure())
        .isNull();
  }

  @Test
  void in_a_retry_storm_each_job_runs_three_times() throws Exception {
    for (Entrant entrant : List.of(Entrant.EBB, Entrant.FLOOR)) {
      Measurement storm = measure(Workloads.of("retry-storm"), entrant, THIRTIETH).getFirst();

      assertThat(storm.failure()).isNull();
      assertThat(storm.figures().get(Figure.SECONDS)).isGreaterThan(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "submit-single, 0.01, EBB",
    "submit-bulk, 0.01, EBB",
    "submit-bulk, 0.01, FLOOR",
    "drain-limited, 0.002, EBB",
    "drain-20000, 0.002, EBB",
    "parked, 0.01, EBB",
    "parked, 0.01, FLOOR",
    "schedules, 0.01, EBB",
    "in-flight, 0.1, EBB",
    "snapshot, 0.05, EBB",
    "rest, 0.02, EBB",
    "rest-keys, 0.02, EBB",
    "reads, 0.0005, EBB",
    "trickle, 0.02, EBB",
    "queues-10000, 0.01, EBB",
    "one-loud-queue, 0.01, EBB",
    "unserved, 0.01, EBB",
    "ended-leases, 0.01, EBB",
    "destinations, 0.01, EBB",
    "slow-answers, 0.01, EBB",
    "polls, 0.02, EBB",
    "memory, 0.002, EBB"
  })
  void every_other_workload_is_done_and_its_cost_is_known(
      String workload, double scale, Entrant entrant) throws Exception {
    Measurement measured = measure(Workloads.of(workload), entrant, scale).getFirst();

    assertThat(measured.failure()).isNull();
    if (!COUNTED_OTHERWISE.contains(workload)) {
      assertThat(measured.figures())
          .containsKeys(Figure.RATE, Figure.CPU_NODE, Figure.WAL, Figure.STATEMENTS)
          .containsKeys(Figure.TRANSACTIONS, Figure.DEAD);
    }
  }

  @Test
  void a_job_that_the_tables_say_ran_too_often_fails_the_measurement() throws Exception {
    Workload twice =
        new Scripted(round -> {
          round.prepare(20, 1, 0);
          Drain.drain(round, 20);
          try (Connection eyes = round.connect()) {
            Sql.execute(
                eyes,
                "update ebb.history set id = (select min(id::text)::uuid from ebb.history)"
                    + " where id = (select max(id::text)::uuid from ebb.history)");
          }
          round.check(20, Collections.nCopies(20, 1));
        });

    assertThat(measure(twice, Entrant.EBB, 1).getFirst().failure())
        .contains("ran too often or too seldom by the system's own tables: 1, not 0");
  }

  @Test
  void a_job_that_ran_too_often_or_was_not_stored_fails_the_measurement() throws Exception {
    Workload careless =
        new Scripted(round -> {
          round.prepare(2, 1, 0);
          round.leave();
          round.checkRuns(1, List.of(1));
          round.checkStored(0);
          if (round.scaled(10) == 10) {
            round.checkRuns(2, List.of(1, 2));
          }
          round.checkStored(1);
        });

    assertThat(measure(careless, Entrant.FLOOR, 1).getFirst().failure())
        .contains("job 1 ran 2 times, not 1");
    assertThat(measure(careless, Entrant.FLOOR, 0.5).getFirst().failure())
        .contains("stored by the system's own tables: 0, not 1");
  }
}
