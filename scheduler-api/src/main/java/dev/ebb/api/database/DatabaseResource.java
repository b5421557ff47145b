package dev.ebb.api.database;

import static dev.ebb.core.health.Figure.CLAIMS;
import static dev.ebb.core.health.Figure.CLOCKS;
import static dev.ebb.core.health.Figure.DUE;
import static dev.ebb.core.health.Figure.PARTITIONS;
import static dev.ebb.core.health.Figure.SERVER;
import static dev.ebb.core.health.Figure.SLOTS;
import static dev.ebb.core.health.Figure.STANDBYS;
import static dev.ebb.core.health.Figure.TABLES;
import static dev.ebb.core.health.Figure.TRANSACTIONS;

import dev.ebb.api.http.Answer;
import dev.ebb.core.health.Figure;
import dev.ebb.core.health.Figures;
import dev.ebb.core.health.Finding.Measure;
import dev.ebb.core.health.Limit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The health of the database as answers show it; a part that could not be read is absent, and named
 * with its reason.
 *
 * @param findings the worst first
 */
record DatabaseResource(
    Instant asOf,
    String verdict,
    List<Finding> findings,
    Map<String, String> unread,
    @Nullable Server server,
    Figure.@Nullable Claims claims,
    @Nullable List<Figure.Transaction> transactions,
    @Nullable List<Figure.Slot> slots,
    @Nullable List<Figure.Standby> standbys,
    @Nullable List<Figure.Table> tables,
    @Nullable List<Figure.Partitions> partitions,
    @Nullable List<Figure.Due> due,
    @Nullable List<Figure.Clock> clocks) {

  /**
   * One thing, and how it stands.
   *
   * @param warnFrom absent where the verdict is not one on the size of the value
   */
  record Finding(
      String code,
      String theme,
      String verdict,
      @Nullable Double value,
      @Nullable String unit,
      @Nullable Double warnFrom,
      @Nullable Double badFrom,
      String summary,
      String rule,
      @Nullable String advice,
      @Nullable List<String> commands) {

    static Finding of(dev.ebb.core.health.Finding found) {
      Measure measure = found.measure();
      Limit limit = measure == null ? null : measure.limit();
      Limit judged = limit != null && limit.bad() > 0 ? limit : null;
      return new Finding(
          found.code(),
          found.theme().word(),
          found.verdict().word(),
          measure == null ? null : measure.value(),
          limit == null ? null : limit.unit(),
          judged == null ? null : judged.warn(),
          judged == null ? null : judged.bad(),
          found.summary(),
          found.rule(),
          found.advice().isEmpty() ? null : found.advice(),
          found.commands().isEmpty() ? null : found.commands());
    }
  }

  /** What is so in the whole server. */
  record Server(
      boolean standby,
      int connections,
      int connectionsUsed,
      String synchronousCommit,
      String synchronousStandbyNames) {

    static @Nullable Server of(Figure.@Nullable Server server) {
      return server == null
          ? null
          : new Server(
              server.standby(),
              server.connections(),
              server.connectionsUsed(),
              server.synchronousCommit(),
              server.synchronousStandbyNames());
    }
  }

  /** The figures of the database and of this process, and what the checks found in them. */
  static DatabaseResource of(
      Instant asOf, List<dev.ebb.core.health.Finding> findings, Figures database, Figures process) {
    return new DatabaseResource(
        Answer.shown(asOf),
        dev.ebb.core.health.Finding.worst(findings).word(),
        findings.stream().map(Finding::of).toList(),
        database.unread(),
        Server.of(database.orNull(SERVER)),
        process.orNull(CLAIMS),
        database.orNull(TRANSACTIONS),
        database.orNull(SLOTS),
        database.orNull(STANDBYS),
        database.orNull(TABLES),
        database.orNull(PARTITIONS),
        database.orNull(DUE),
        database.orNull(CLOCKS));
  }

  /** For those who may not see the addresses of clients. */
  DatabaseResource withoutAddresses() {
    return new DatabaseResource(
        asOf,
        verdict,
        findings,
        unread,
        server,
        claims,
        each(transactions, Figure.Transaction::withoutAddress),
        slots,
        each(standbys, Figure.Standby::withoutAddress),
        tables,
        partitions,
        due,
        clocks);
  }

  private static <T> @Nullable List<T> each(@Nullable List<T> values, UnaryOperator<T> change) {
    return values == null ? null : values.stream().map(change).toList();
  }
}
