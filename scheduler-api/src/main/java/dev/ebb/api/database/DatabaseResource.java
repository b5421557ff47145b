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
import dev.ebb.contract.DatabaseFinding;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.contract.DatabaseHealth.Server;
import dev.ebb.contract.DatabaseHealth.Standby;
import dev.ebb.contract.DatabaseHealth.Transaction;
import dev.ebb.core.health.Figure;
import dev.ebb.core.health.Figures;
import dev.ebb.core.health.Finding;
import dev.ebb.core.health.Finding.Measure;
import dev.ebb.core.health.Limit;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Shows the health of the database. */
final class DatabaseResource {
  private DatabaseResource() {}

  /** The figures of the database and of this process, and what the checks found in them. */
  static DatabaseHealth of(
      Instant asOf, List<Finding> findings, Figures database, Figures process) {
    return new DatabaseHealth(
        Answer.shown(asOf),
        Finding.worst(findings).word(),
        findings.stream().map(DatabaseResource::finding).toList(),
        database.unread(),
        server(database.orNull(SERVER)),
        process.orNull(CLAIMS),
        database.orNull(TRANSACTIONS),
        database.orNull(SLOTS),
        database.orNull(STANDBYS),
        database.orNull(TABLES),
        database.orNull(PARTITIONS),
        database.orNull(DUE),
        database.orNull(CLOCKS));
  }

  private static DatabaseFinding finding(Finding found) {
    Measure measure = found.measure();
    Limit limit = measure == null ? null : measure.limit();
    Limit judged = limit != null && limit.bad() > 0 ? limit : null;
    return new DatabaseFinding(
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

  private static @Nullable Server server(Figure.@Nullable Server server) {
    return server == null
        ? null
        : new Server(
            server.standby(),
            server.connections(),
            server.connectionsUsed(),
            server.synchronousCommit(),
            server.synchronousStandbyNames());
  }

  /** For those who may not see the addresses of clients. */
  static DatabaseHealth withoutAddresses(DatabaseHealth health) {
    return new DatabaseHealth(
        health.asOf(),
        health.verdict(),
        health.findings(),
        health.unread(),
        health.server(),
        health.claims(),
        each(health.transactions(), Transaction::withoutAddress),
        health.slots(),
        each(health.standbys(), Standby::withoutAddress),
        health.tables(),
        health.partitions(),
        health.due(),
        health.clocks());
  }

  private static <T> @Nullable List<T> each(@Nullable List<T> values, UnaryOperator<T> change) {
    return values == null ? null : values.stream().map(change).toList();
  }
}
