package dev.ebb.db.queue;

import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.RateCut;
import dev.ebb.core.limit.Shortage;
import dev.ebb.db.connection.Parameters;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the states of limiters, under their queues' locks. */
public final class LimiterRow {
  /** Writes the states of limiters, which {@link #bind} gives it. */
  public static final String WRITE =
      """
      insert into ebb.limiter as l (
        queue, coldness, next_free_at, cut_ceiling, cut_factor, cut_at, cut_quiet_since,
        short_since, short_until)
      select *
      from unnest(
        ?::text[], ?::float8[], ?::timestamptz[], ?::float8[], ?::float8[], ?::timestamptz[],
        ?::timestamptz[], ?::timestamptz[], ?::timestamptz[])
      on conflict (queue) do update
      set coldness = excluded.coldness, next_free_at = excluded.next_free_at,
        cut_ceiling = excluded.cut_ceiling, cut_factor = excluded.cut_factor,
        cut_at = excluded.cut_at, cut_quiet_since = excluded.cut_quiet_since,
        short_since = excluded.short_since, short_until = excluded.short_until
      """;

  private LimiterRow() {}

  /** The state that a queue's limiter gets, under the queue's lock. */
  public record Write(String queue, LimiterState state, @Nullable Shortage shortage) {
    private <T> @Nullable T ofCut(Function<RateCut, T> part) {
      RateCut cut = state.cut();
      return cut == null ? null : part.apply(cut);
    }

    private <T> @Nullable T ofShortage(Function<Shortage, T> part) {
      return shortage == null ? null : part.apply(shortage);
    }
  }

  /** Gives {@link #WRITE} its parameters. */
  public static void bind(Parameters parameters, List<Write> writes) throws SQLException {
    var _ =
        parameters
            .columns(writes)
            .text(Write::queue)
            .real(write -> write.state.coldness())
            .time(write -> write.state.nextFreeAt())
            .real(write -> write.ofCut(RateCut::ceiling))
            .real(write -> write.ofCut(RateCut::factor))
            .time(write -> write.ofCut(RateCut::at))
            .time(write -> write.ofCut(RateCut::quietSince))
            .time(write -> write.ofShortage(Shortage::since))
            .time(write -> write.ofShortage(Shortage::until));
  }
}
