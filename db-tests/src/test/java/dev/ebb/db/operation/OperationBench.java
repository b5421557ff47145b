package dev.ebb.db.operation;

import dev.ebb.core.access.Act;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.core.operation.OperationState;
import dev.ebb.core.operation.Pace;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import dev.ebb.db.DeadLetters;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A database with operations at hand. */
final class OperationBench implements AutoCloseable {
  static final Act ADA = new Act("ada", "abc", "127.0.0.1", "a wrong price");

  static final JobAction REDRIVE = new JobAction.Redrive(true, true);

  final Bench bench = new Bench();
  final Operations operations = new Operations(bench.database);
  final OperationCarrier carrier = new OperationCarrier(bench.database);

  static JobFilter filter(String query) {
    return JobQuery.read(query, new FilterBuilder()).build();
  }

  static OperationPlan plan(JobAction action, String query) {
    return OperationPlan.of(action, filter(query));
  }

  static OperationPlan staged(@Nullable Pace pace, List<Integer> stages, double ratio) {
    return new OperationPlan(REDRIVE, filter(""), List.of(), pace, stages, ratio, null, 0);
  }

  static OperationPlan looked(List<Integer> stages, int pausesAfter) {
    return new OperationPlan(REDRIVE, filter(""), List.of(), null, stages, null, null, pausesAfter);
  }

  UUID start(OperationPlan plan) throws SQLException {
    return operations.start(plan, new Matched(1, true), ADA).id();
  }

  /** Takes the steps that are due, until none is. */
  void stepAll() throws SQLException {
    while (carrier.step().isPresent()) {}
  }

  /** Takes every step, as soon as it is due or before. */
  OperationView carryOut(UUID id) throws SQLException {
    for (OperationView view = view(id); view.state() == OperationState.RUNNING; view = view(id)) {
      bench.execute("update ebb.operation set due_at = now() - interval '1 second'");
      carrier.step();
    }
    return view(id);
  }

  OperationView view(UUID id) throws SQLException {
    return operations.find(id).orElseThrow();
  }

  /** The results by job, with the reason where there is one. */
  Map<UUID, String> results(UUID id) throws SQLException {
    Map<UUID, String> results = new HashMap<>();
    for (OperationItem item : operations.report(id, null, 100_000)) {
      results.put(item.job(), item.reason() == null ? "" + item.result() : item.reason());
    }
    return results;
  }

  Map<String, Long> resultCounts(UUID id) throws SQLException {
    return results(id).values().stream()
        .collect(Collectors.groupingBy(result -> result, Collectors.counting()));
  }

  UUID dead() throws SQLException {
    UUID id = bench.submitOne();
    if (!bench.deadLetter(bench.claimOne())) {
      throw new IllegalStateException("not settled");
    }
    return id;
  }

  /** So many dead letters of the queue at once. */
  void dead(String queue, int many) {
    DeadLetters.in(queue).kind("echo").store(bench.config, many);
  }

  /** Dead letters of many queues, one in each. */
  void deadInQueues(int queues) throws SQLException {
    dead("q", queues);
    bench.execute(
        """
        update ebb.dead_letter d
        set queue = 'q' || n.number
        from (select id, row_number() over () as number from ebb.dead_letter) n
        where d.id = n.id
        """);
  }

  /** Has the transaction fail that writes how far an operation with this many done has come. */
  void failAtDone(int done) throws SQLException {
    bench.execute(
        """
        create or replace function public.die() returns trigger language plpgsql as $$
          begin raise exception 'died'; end
        $$;
        create trigger die before update on ebb.operation
        for each row when (new.done >= %s) execute function public.die();
        """
            .formatted(done));
  }

  @Override
  public void close() {
    bench.close();
  }
}
