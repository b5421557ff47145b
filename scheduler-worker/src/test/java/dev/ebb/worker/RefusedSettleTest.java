package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.view.AttemptView;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A settle whose rows the database refuses, as it does while the partition of a day is made. */
class RefusedSettleTest {
  private static final String DETAIL = "{\"note\":\"kept\"}";

  /**
   * Refuses the first rows of a table that have a detail; a sequence outlasts what is rolled back.
   */
  private static final String REFUSE =
      """
      create sequence public.refusals;
      create function public.refuse() returns trigger language plpgsql as $$
        begin
          if nextval('public.refusals') <= %1$s then
            raise check_violation using message = 'new row violates partition constraint';
          end if;
          return new;
        end
      $$;
      create trigger refuse before insert on ebb.history
      for each row when (new.detail is not null) execute function public.refuse();
      create trigger refuse before insert on ebb.attempt
      for each row when (new.detail is not null) execute function public.refuse();
      """;

  private WorkerBench bench;

  @BeforeEach
  void open() {
    bench = new WorkerBench();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_attempt_whose_row_is_refused_once_keeps_its_detail(boolean completes) throws Exception {
    bench.execute(REFUSE.formatted(1));

    assertThat(run(completes).detail()).isEqualTo(DETAIL);
    assertThat(bench.count("public.refusals where last_value > 1")).isOne();
  }

  @Test
  void an_attempt_whose_row_is_refused_for_its_detail_is_settled_without_it() throws Exception {
    bench.execute(REFUSE.formatted(1_000));

    assertThat(run(true).detail()).isNull();
  }

  private AttemptView run(boolean completes) throws Exception {
    bench.start(context -> {
      context.record(DETAIL);
      return completes ? Outcome.completed() : Outcome.fatal("refused", "no");
    });
    UUID id = bench.submit("1");
    bench.awaitState(id, completes ? JobState.COMPLETED : JobState.DEAD_LETTER);
    assertThat(bench.attempts(id)).hasSize(1);
    return bench.attempts(id).getFirst();
  }
}
