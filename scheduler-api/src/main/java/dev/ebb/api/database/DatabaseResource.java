package dev.ebb.api.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.core.health.ClaimTimes;
import dev.ebb.core.health.Limit;
import dev.ebb.core.health.Part;
import dev.ebb.core.health.SchemaHealth;
import dev.ebb.core.health.ServerHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The health of the database as answers show it; a part that could not be read is absent, and named
 * with its reason.
 *
 * @param findings the worst first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DatabaseResource(
    Instant asOf,
    String verdict,
    List<Finding> findings,
    Map<String, String> unread,
    @Nullable Server server,
    @Nullable Claims claims,
    @Nullable List<Transaction> transactions,
    @Nullable List<Slot> slots,
    @Nullable List<Standby> standbys,
    @Nullable List<Table> tables,
    @Nullable List<Partitions> partitions,
    @Nullable List<Due> due,
    @Nullable List<Clock> clocks) {

  /**
   * One thing, and how it stands.
   *
   * @param warnFrom absent where the verdict is not one on the size of the value
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
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
      dev.ebb.core.health.Finding.Measure measure = found.measure();
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
      String synchronousStandbyNames) {}

  /** How long the claims of the process took lately. */
  record Claims(long count, String p50, String p99) {}

  /** An open transaction. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Transaction(
      @Nullable Integer pid,
      @Nullable String gid,
      @Nullable String role,
      @Nullable String application,
      @Nullable String address,
      @Nullable String state,
      boolean own,
      String age,
      long transactionsBehind) {}

  /** A replication slot. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Slot(
      String name,
      String type,
      boolean active,
      @Nullable String walStatus,
      long transactionsBehind,
      @Nullable Long keptBytes) {}

  /** A server that follows. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Standby(
      String name,
      @Nullable String address,
      @Nullable String state,
      @Nullable String sync,
      @Nullable Long lossBytes,
      @Nullable String loss,
      @Nullable Long lagBytes,
      @Nullable String lag,
      long transactionsBehind) {}

  /** A table with its partitions. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Table(
      String name,
      int partitions,
      @Nullable Long bytes,
      @Nullable Long indexBytes,
      long liveRows,
      long deadRows,
      long vacuumFrom,
      boolean autovacuum,
      @Nullable Instant vacuumedAt,
      @Nullable Instant analyzedAt) {}

  /** The partitions of a table by time. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Partitions(
      String table,
      String unit,
      int count,
      @Nullable LocalDate oldest,
      @Nullable LocalDate newest,
      int ahead,
      long defaultRows) {}

  /** A queue with a due job. */
  record Due(String queue, String age, boolean paused) {}

  /** The clock of a node. */
  record Clock(String node, String skew) {}

  static DatabaseResource of(DatabaseReport report, boolean addresses) {
    ServerHealth server = report.server();
    SchemaHealth schema = report.schema();
    return new DatabaseResource(
        Answer.shown(report.asOf()),
        dev.ebb.core.health.Finding.worst(report.findings()).word(),
        report.findings().stream().map(Finding::of).toList(),
        unread(server, schema),
        server.server().isRead() ? server(server.server().get()) : null,
        report.claims().isRead() ? claims(report.claims().get()) : null,
        server.sessions().isRead() ? transactions(server.sessions().get(), addresses) : null,
        shown(server.slots(), DatabaseResource::slot),
        server.standbys().isRead() ? standbys(server.standbys().get(), addresses) : null,
        shown(schema.tables(), DatabaseResource::table),
        shown(schema.partitions(), DatabaseResource::partitions),
        shown(schema.due(), due -> new Due(due.queue(), due.age().toString(), due.paused())),
        shown(schema.clocks(), clock -> new Clock(clock.node(), clock.skew().toString())));
  }

  private static <T, R> @Nullable List<R> shown(Part<List<T>> part, Function<T, R> resource) {
    return part.isRead() ? part.get().stream().map(resource).toList() : null;
  }

  private static Map<String, String> unread(ServerHealth server, SchemaHealth schema) {
    Map<String, String> unread = new TreeMap<>();
    note(unread, "server", server.server());
    note(unread, "transactions", server.sessions());
    note(unread, "slots", server.slots());
    note(unread, "standbys", server.standbys());
    note(unread, "tables", schema.tables());
    note(unread, "partitions", schema.partitions());
    note(unread, "due", schema.due());
    note(unread, "clocks", schema.clocks());
    note(unread, "schedules", schema.schedules());
    return unread;
  }

  private static void note(Map<String, String> unread, String name, Part<?> part) {
    if (!part.isRead()) {
      unread.put(name, part.why());
    }
  }

  private static Server server(ServerHealth.Server server) {
    return new Server(
        server.standby(),
        server.connections(),
        server.connectionsUsed(),
        server.synchronousCommit(),
        server.synchronousStandbys());
  }

  private static Claims claims(ClaimTimes claims) {
    return new Claims(claims.claims(), claims.middle().toString(), claims.slow().toString());
  }

  private static List<Transaction> transactions(ServerHealth.Sessions all, boolean addresses) {
    return all.transactions().stream()
        .map(one ->
            new Transaction(
                one.pid(),
                one.gid(),
                one.user(),
                one.application(),
                addresses ? one.address() : null,
                one.state(),
                one.own(),
                one.age().toString(),
                one.xids()))
        .toList();
  }

  private static Slot slot(ServerHealth.Slot slot) {
    return new Slot(
        slot.name(), slot.type(), slot.active(), slot.walStatus(), slot.xids(), slot.keptBytes());
  }

  private static List<Standby> standbys(ServerHealth.Standbys all, boolean addresses) {
    return all.all().stream()
        .map(one ->
            new Standby(
                one.name(),
                addresses ? one.address() : null,
                one.state(),
                one.sync(),
                one.lossBytes(),
                text(one.loss()),
                one.lagBytes(),
                text(one.lag()),
                one.xids()))
        .toList();
  }

  private static @Nullable String text(@Nullable Duration length) {
    return length == null ? null : length.toString();
  }

  private static Table table(SchemaHealth.Table table) {
    return new Table(
        table.name(),
        table.parts(),
        table.bytes(),
        table.indexBytes(),
        table.live(),
        table.dead(),
        table.vacuumFrom(),
        table.vacuumable(),
        Answer.shownOrNull(table.vacuumedAt()),
        Answer.shownOrNull(table.analyzedAt()));
  }

  private static Partitions partitions(SchemaHealth.Partitions one) {
    return new Partitions(
        one.table(),
        one.days() ? "day" : "month",
        one.count(),
        one.oldest(),
        one.newest(),
        one.ahead(),
        one.rest());
  }
}
