package dev.ebb.core.health;

import static dev.ebb.core.health.Figure.NOW;
import static dev.ebb.core.health.Figure.PRIMARY;
import static dev.ebb.core.health.Figure.SERVER;
import static dev.ebb.core.health.Figure.STANDBYS;
import static dev.ebb.core.health.Figure.STRANGERS;
import static dev.ebb.core.health.Theme.DURABILITY;

import dev.ebb.contract.DatabaseHealth.Standby;
import dev.ebb.core.Moment;
import dev.ebb.core.health.Figure.Primary;
import dev.ebb.core.health.Figure.Server;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The checks of what a crash or a failover may lose. */
final class DurabilityChecks {
  private static final Limit LAG = Limit.seconds(Duration.ofSeconds(10), Duration.ofMinutes(5));
  private static final Duration RECENT = Duration.ofDays(1);
  private static final Set<String> FORGETFUL = Set.of("off", "local");

  static final List<Check> ALL =
      List.of(
          Check.of(DURABILITY, "takes_writes", SERVER, DurabilityChecks::writes)
              .rule("Bad if the server only follows another."),
          Check.of(DURABILITY, "fsync", SERVER, DurabilityChecks::fsync).rule("Bad if it is off."),
          Check.of(DURABILITY, "full_page_writes", SERVER, DurabilityChecks::fullPages)
              .rule("Warns if it is off: few disks write a page as a whole."),
          Check.of(DURABILITY, "synchronous_commit", SERVER, DurabilityChecks::commit)
              .rule("Bad if it is off or local on Ebb's connections."),
          Check.of(
                  DURABILITY,
                  "failover_loss",
                  List.of(SERVER, STANDBYS),
                  DurabilityChecks::failover)
              .rule(
                  "Bad if commits wait for a synchronous standby that is not there. How far an"
                      + " asynchronous one is behind "
                      + LAG.rule().replaceFirst("W", "w")),
          Check.of(DURABILITY, "one_primary", List.of(PRIMARY, STRANGERS), DurabilityChecks::one)
              .rule("Bad if another server of EBB_DB_URL takes writes."),
          Check.of(DURABILITY, "promotion", List.of(PRIMARY, NOW), DurabilityChecks::promotion)
              .rule("Warns for a day after a standby was promoted."),
          Check.of(DURABILITY, "lost_jobs", PRIMARY, DurabilityChecks::lost)
              .rule(
                  "Bad if a job is missing that was acknowledged within ten minutes before a"
                      + " failover."),
          Check.of(DURABILITY, "archiving", SERVER, DurabilityChecks::archive)
              .rule("Warns if the last try failed."));

  private DurabilityChecks() {}

  private static Finding writes(Check check, Server server) {
    return server.standby()
        ? check.bad("The server is a standby.", "Let EBB_DB_URL name the primary.")
        : check.ok("The server takes writes.");
  }

  private static Finding fsync(Check check, Server server) {
    return server.fsync()
        ? check.ok("fsync is on.")
        : check.bad(
            "fsync is off: a crash loses everything.",
            "Set fsync = on in postgresql.conf, and reload.");
  }

  private static Finding fullPages(Check check, Server server) {
    return server.fullPageWrites()
        ? check.ok("full_page_writes is on.")
        : check.warn(
            "full_page_writes is off: a crash may leave torn pages.",
            "Set full_page_writes = on in postgresql.conf, and reload.");
  }

  private static Finding commit(Check check, Server server) {
    return check.of(
        forgets(server) ? Verdict.BAD : Verdict.OK,
        "synchronous_commit is " + server.synchronousCommit() + ".",
        "Do not switch it off in the proxy or role: acknowledged jobs could be lost.",
        "alter role " + server.role() + " reset synchronous_commit;");
  }

  private static boolean forgets(Server server) {
    return FORGETFUL.contains(server.synchronousCommit());
  }

  private static Finding failover(Check check, Figures figures) {
    Server server = figures.get(SERVER);
    List<Standby> standbys = figures.get(STANDBYS);
    if (server.hiddenStandbys() > 0) {
      return check.hidden("Standbys are connected, but their lag cannot be seen.", server);
    }
    if (!server.synchronousStandbyNames().isEmpty() && !forgets(server)) {
      return synchronous(check, server, standbys);
    }
    return standbys.isEmpty() ? lone(check, server) : asynchronous(check, standbys);
  }

  private static Finding synchronous(Check check, Server server, List<Standby> standbys) {
    String wanted = " (synchronous_standby_names = " + server.synchronousStandbyNames() + ").";
    return standbys.stream()
            .anyMatch(one -> "sync".equals(one.sync()) || "quorum".equals(one.sync()))
        ? check.ok(
            "A failover to a synchronous standby loses nothing: a commit is acknowledged when it is"
                + " on the disks of two servers"
                + wanted)
        : check.bad(
            "Commits wait for a synchronous standby, and none is connected: no job is accepted"
                + wanted,
            "Bring back the standby; or, if it takes too long, go on without it, as a superuser:"
                + " until it is back, a lost disk loses what was acknowledged.",
            "alter system set synchronous_standby_names = '';",
            "select pg_reload_conf();");
  }

  private static Finding asynchronous(Check check, List<Standby> standbys) {
    Optional<Standby> best =
        standbys.stream()
            .filter(one -> one.lossBytes() != null)
            .min(Comparator.comparing(Standby::lossBytes));
    return best.map(one -> behind(check, one))
        .orElseGet(() ->
            check.warn(
                "A standby is connected, but has not reported its lag yet.",
                "Look again in a minute; a new standby first copies the whole database."));
  }

  private static Finding behind(Check check, Standby standby) {
    Duration loss = Objects.requireNonNullElse(standby.loss(), Duration.ZERO);
    return check.by(
        LAG,
        loss,
        "A failover to %s now would lose the last %s of log%s: it follows asynchronously, so"
                .formatted(
                    standby.name(),
                    Plain.bytes(Objects.requireNonNullElse(standby.lossBytes(), 0L)),
                    loss.isZero() ? "" : ", about " + Plain.length(loss) + " of commits")
            + " acknowledged jobs may be among them.",
        "See what keeps the standby back: its disk, the network, or a long query there. If no job"
            + " may be lost, make it synchronous: each commit then waits for it.",
        "alter system set synchronous_standby_names = '*';",
        "select pg_reload_conf();");
  }

  /** What copies the disk, or a provider's storage, is nothing that the server knows of. */
  private static Finding lone(Check check, Server server) {
    Instant archived = server.archives() ? server.archivedAt() : null;
    String kept =
        archived == null ? "the last backup" : "the log was archived at " + Moment.words(archived);
    return check.unknown(
        "No standby is connected. Unless the storage itself is copied, which the server cannot say,"
            + " a lost disk loses everything since "
            + kept
            + ".",
        "If that is too much, set up a standby (pg_basebackup), and a synchronous one if no"
            + " acknowledged job may be lost. If the provider copies the storage, all is well.");
  }

  private static Finding one(Check check, Figures figures) {
    Map<String, String> strangers = figures.get(STRANGERS);
    return strangers.isEmpty()
        ? check.ok("One server takes writes, on timeline " + figures.get(PRIMARY).timeline() + ".")
        : check.bad(
            strangers.entrySet().stream()
                .map(other ->
                    other.getKey()
                        + " takes writes and is not used, because "
                        + other.getValue()
                        + ".")
                .collect(Collectors.joining(" ")),
            "Stop it, or make it a standby of the primary (pg_rewind). What others wrote to it is"
                + " not in Ebb's database.");
  }

  private static Finding promotion(Check check, Figures figures) {
    Primary primary = figures.get(PRIMARY);
    Instant now = figures.get(NOW);
    Instant since = primary.since();
    boolean isRecent = primary.timeline() > 1 && since != null && since.plus(RECENT).isAfter(now);
    return isRecent
        ? check.warn(
            "A standby was promoted at or before %s: the database is on timeline %s."
                .formatted(Moment.words(since), primary.timeline()),
            "If the standby followed asynchronously, jobs that were acknowledged just before may be"
                + " missing: have their senders repeat them, with the same Idempotency-Key.")
        : check.ok("No standby was promoted in the last day.");
  }

  private static Finding lost(Check check, Primary primary) {
    return primary.lost() == 0
        ? check.ok("No acknowledged job was found missing in the last seven days.")
        : check.bad(
            "%s acknowledged jobs are not in the database: a failover or a restore lost what was"
                    .formatted(primary.lost())
                + " acknowledged from %s to %s."
                    .formatted(Moment.words(primary.lostFrom()), Moment.words(primary.lostTo())),
            "GET /v1/database/lost-jobs lists them. Have their senders repeat them, with the same"
                + " Idempotency-Key. Some may have been delivered.");
  }

  private static Finding archive(Check check, Server server) {
    Instant archived = server.archivedAt();
    Instant failed = server.archiveFailedAt();
    if (!server.archives()) {
      return check.ok("The log is not archived.");
    }
    return failed != null && (archived == null || failed.isAfter(archived))
        ? check.warn(
            "Archiving the log fails.",
            "See the server's log. Until it works, the log fills the disk, and a restore loses what"
                + " came since.",
            "select * from pg_stat_archiver;")
        : check.ok("The log is archived.");
  }
}
