package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.DURABILITY;

import dev.ebb.core.Moment;
import dev.ebb.core.health.ServerHealth.Archive;
import dev.ebb.core.health.ServerHealth.Server;
import dev.ebb.core.health.ServerHealth.Standby;
import dev.ebb.core.health.ServerHealth.Standbys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Judges what a crash or a failover may lose. */
final class DurabilityChecks {
  private static final String FAILOVER = "failover_loss";
  private static final String RULE =
      "Bad if commits wait for a synchronous standby that is not there; of asynchronous ones "
          + Limit.LAG.rule().replaceFirst("W", "w");
  private static final Set<String> FORGETFUL = Set.of("off", "local");

  private final ServerHealth health;

  DurabilityChecks(ServerHealth health) {
    this.health = health;
  }

  List<Finding> all() {
    List<Finding> found = new ArrayList<>();
    Part<Server> server = health.server();
    if (!server.isRead()) {
      return List.of(server.judged(FAILOVER, DURABILITY, "The settings", DurabilityChecks::lone));
    }
    found.addAll(settings(server.get()));
    found.add(failover(server.get()));
    found.addAll(PrimaryChecks.all(health.primaries(), server.get().now()));
    if (server.get().archive() != null) {
      found.add(archive(server.get().archive()));
    }
    return found;
  }

  private static List<Finding> settings(Server server) {
    boolean forgets = FORGETFUL.contains(server.synchronousCommit());
    return List.of(
        Finding.of(
                "takes_writes",
                DURABILITY,
                server.standby() ? Verdict.BAD : Verdict.OK,
                server.standby() ? "The server is a standby." : "The server takes writes.",
                "Bad if the server only follows another.")
            .mend("Let EBB_DB_URL name the primary."),
        Finding.of(
                "fsync",
                DURABILITY,
                server.fsync() ? Verdict.OK : Verdict.BAD,
                server.fsync() ? "fsync is on." : "fsync is off: a crash loses everything.",
                "Bad if it is off.")
            .mend("Set fsync = on in postgresql.conf, and reload."),
        Finding.of(
                "full_page_writes",
                DURABILITY,
                server.fullPageWrites() ? Verdict.OK : Verdict.WARN,
                server.fullPageWrites()
                    ? "full_page_writes is on."
                    : "full_page_writes is off: a crash may leave torn pages.",
                "Warns if it is off: few disks write a page as a whole.")
            .mend("Set full_page_writes = on in postgresql.conf, and reload."),
        Finding.of(
                "synchronous_commit",
                DURABILITY,
                forgets ? Verdict.BAD : Verdict.OK,
                "synchronous_commit is " + server.synchronousCommit() + ".",
                "Bad if it is off or local on Ebb's connections.")
            .mend(
                "Do not switch it off in the proxy or role: acknowledged jobs could be lost.",
                "alter role " + server.role() + " reset synchronous_commit;"));
  }

  private static Finding archive(Archive archive) {
    boolean fails =
        archive.failedAt() != null
            && (archive.archivedAt() == null || archive.failedAt().isAfter(archive.archivedAt()));
    return Finding.of(
            "archiving",
            DURABILITY,
            fails ? Verdict.WARN : Verdict.OK,
            fails ? "The archiving of the log fails." : "The log is archived.",
            "Warns if the last try failed.")
        .mend(
            "See the server's log. Until it works, the log fills the disk, and a restore loses what"
                + " came since.",
            "select * from pg_stat_archiver;");
  }

  private Finding failover(Server server) {
    if (!health.standbys().isRead()) {
      return health.standbys().judged(FAILOVER, DURABILITY, "The standbys", _ -> lone(server));
    }
    Standbys standbys = health.standbys().get();
    if (standbys.hidden() > 0) {
      return Finding.unknown(
          FAILOVER,
          DURABILITY,
          "Standbys are connected, but how far they are cannot be seen.",
          "Let the nodes' role read the statistics. It may then see what others run, and change"
              + " nothing.",
          SnapshotChecks.grant(standbys.role()));
    }
    boolean wantsSync =
        !server.synchronousStandbys().isEmpty() && !FORGETFUL.contains(server.synchronousCommit());
    boolean hasSync = standbys.all().stream().anyMatch(Standby::isSync);
    if (wantsSync) {
      return hasSync ? safe(server) : stuck(server);
    }
    return standbys.all().isEmpty() ? lone(server) : asynchronous(standbys.all());
  }

  private static Finding safe(Server server) {
    return Finding.of(
        FAILOVER,
        DURABILITY,
        Verdict.OK,
        "A failover to a synchronous standby loses nothing: a commit is acknowledged when it is on"
            + " the disks of two servers (synchronous_standby_names = "
            + server.synchronousStandbys()
            + ").",
        RULE);
  }

  private static Finding stuck(Server server) {
    return Finding.of(
            FAILOVER,
            DURABILITY,
            Verdict.BAD,
            "Commits wait for a synchronous standby, and none is connected: no job is accepted"
                + " (synchronous_standby_names = "
                + server.synchronousStandbys()
                + ").",
            RULE)
        .mend(
            "Bring back the standby; or, if it takes too long, go on without it, as a superuser:"
                + " until it is back, a lost disk loses what was acknowledged.",
            "alter system set synchronous_standby_names = '';",
            "select pg_reload_conf();");
  }

  private static Finding asynchronous(List<Standby> standbys) {
    Optional<Standby> best =
        standbys.stream()
            .filter(one -> one.lossBytes() != null)
            .min(Comparator.comparingLong(one -> Objects.requireNonNull(one.lossBytes())));
    if (best.isEmpty()) {
      return Finding.of(
              FAILOVER,
              DURABILITY,
              Verdict.WARN,
              "A standby is connected, but has not told yet how far it is.",
              RULE)
          .mend("Look again in a minute; a new standby first copies the whole database.");
    }
    Standby standby = best.get();
    Duration loss = Objects.requireNonNullElse(standby.loss(), Duration.ZERO);
    return Finding.of(
            FAILOVER,
            DURABILITY,
            Limit.LAG.of(loss),
            "A failover to %s now would lose the last %s of log%s: it follows asynchronously, so"
                    .formatted(
                        standby.name(),
                        Plain.bytes(Objects.requireNonNullElse(standby.lossBytes(), 0L)),
                        loss.isZero() ? "" : ", about " + Plain.length(loss) + " of commits")
                + " acknowledged jobs may be among them.",
            RULE)
        .measured(Limit.LAG, loss)
        .mend(
            "See what keeps the standby back: its disk, the network, or a long query there. If no"
                + " job may be lost, make it synchronous: each commit then waits for it.",
            "alter system set synchronous_standby_names = '*';",
            "select pg_reload_conf();");
  }

  /** What copies the disk, or a provider's storage, is nothing that the server knows of. */
  private static Finding lone(Server server) {
    Archive archive = server.archive();
    String kept =
        archive == null || archive.archivedAt() == null
            ? "the last backup"
            : "the log was archived at " + Moment.words(archive.archivedAt());
    return Finding.unknown(
        FAILOVER,
        DURABILITY,
        "No standby is connected. Unless the storage itself is copied, which the server cannot"
            + " say, a lost disk loses everything since "
            + kept
            + ".",
        "If that is too much, set up a standby (pg_basebackup), and a synchronous one if no"
            + " acknowledged job may be lost. If the provider copies the storage, all is well.");
  }
}
