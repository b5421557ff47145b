package dev.ebb.core.health;

import static dev.ebb.core.health.Figure.CLAIMS;
import static dev.ebb.core.health.Figure.CLOCKS;
import static dev.ebb.core.health.Figure.DUE;
import static dev.ebb.core.health.Figure.SERVER;
import static dev.ebb.core.health.Figure.START;
import static dev.ebb.core.health.Figure.WRITES;
import static dev.ebb.core.health.Theme.WORK;

import dev.ebb.contract.DatabaseHealth.Claims;
import dev.ebb.contract.DatabaseHealth.Clock;
import dev.ebb.contract.DatabaseHealth.DueQueue;
import dev.ebb.core.Moment;
import dev.ebb.core.health.Figure.Server;
import dev.ebb.core.health.Figure.Start;
import dev.ebb.core.health.Figure.Writes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The checks of what the nodes see of the server, and of what they leave undone. */
final class WorkChecks {
  private static final Limit CONNECTIONS = new Limit("ratio", 0.8, 0.95);
  private static final Limit CLAIM = Limit.seconds(Duration.ofMillis(250), Duration.ofSeconds(1));

  /** What to do where nothing is stored, by SQLSTATE. */
  private static final Map<String, String> ADVICE =
      Map.of(
          "53100",
          "Make room on the server's disk, or enlarge it. Nodes go on by themselves.",
          "53300",
          "Lower EBB_DB_POOL, put a pooling proxy in between, or raise max_connections.",
          "25006",
          "Let EBB_DB_URL name the primary, or take back default_transaction_read_only.",
          "42501",
          "Grant the role its rights again: docker/postgres/10-roles.sql lists them.",
          "",
          "If commits wait for a synchronous standby, bring it back: failover_loss says how to go"
              + " on without it. Otherwise look at the server's disk.");

  static final List<Check> ALL =
      List.of(
          Check.of(WORK, "connections", SERVER, WorkChecks::connections).rule(CONNECTIONS.rule()),
          Check.of(WORK, "start", START, WorkChecks::start)
              .rule("Warns while nothing runs because the start is paused."),
          Check.of(WORK, "oldest_due", DUE, WorkChecks::due)
              .rule(Limit.DUE.rule() + " Paused queues do not count."),
          Check.of(WORK, "clock_skew", CLOCKS, WorkChecks::clocks)
              .rule(Limit.CLOCK.rule() + " Ahead or behind alike."),
          Check.of(WORK, "claim_times", CLAIMS, WorkChecks::claims)
              .rule(CLAIM.rule() + " Of the slowest in a hundred."),
          Check.of(WORK, "storing", WRITES, WorkChecks::storing)
              .rule(
                  "Bad if the last job was refused in the last 30 s, or a commit waits for over"
                      + " 2 s."));

  private WorkChecks() {}

  private static Finding connections(Check check, Server server) {
    return check.by(
        CONNECTIONS,
        (double) server.connectionsUsed() / server.connections(),
        "%s of %s connections are taken."
            .formatted(Plain.number(server.connectionsUsed()), Plain.number(server.connections())),
        "See who has them. Lower EBB_DB_POOL, put a pooling proxy in between, or raise"
            + " max_connections, which takes a restart.",
        "select usename, application_name, state, count(*) from pg_stat_activity group by 1, 2, 3"
            + " order by 4 desc;");
  }

  private static Finding start(Check check, Start start) {
    return start.pausedSince() == null
        ? check.ok("The start is not paused.")
        : check.warn(
            "The start has been paused since %s by %s: nothing runs."
                .formatted(Moment.words(start.pausedSince()), start.pausedBy()),
            "Look at what was restored, and then resume, on any page of the dashboard or by"
                + " ./ebb resume.");
  }

  private static Finding due(Check check, List<DueQueue> queues) {
    Optional<DueQueue> oldest =
        queues.stream().filter(queue -> !queue.paused()).max(Comparator.comparing(DueQueue::age));
    return check.by(
        Limit.DUE,
        oldest.map(DueQueue::age).orElse(Duration.ZERO),
        oldest
            .map(one ->
                "The oldest due job has been waiting for %s, in queue %s."
                    .formatted(Plain.length(one.age()), one.queue()))
            .orElse("No jobs are due, except in paused queues."),
        "Open the job: its page says why it waits.");
  }

  private static Finding clocks(Check check, List<Clock> clocks) {
    Optional<Clock> worst =
        clocks.stream().max(Comparator.comparing((Clock clock) -> clock.skew().abs()));
    return check.by(
        Limit.CLOCK,
        worst.map(one -> one.skew().abs()).orElse(Duration.ZERO),
        worst
            .map(one ->
                "The clock of node %s is %s %s the database's."
                    .formatted(
                        one.node(),
                        Plain.length(one.skew()),
                        one.skew().isNegative() ? "behind" : "ahead of"))
            .orElse("No running node has reported its clock."),
        "Set it by NTP. The database's clock decides when jobs run; logs show the node's.");
  }

  private static Finding claims(Check check, Claims claims) {
    return check.by(
        CLAIM,
        claims.p99(),
        claims.p50().isZero()
            ? "This process claimed nothing within the last minutes."
            : "Half of this process's claims took up to %s, 99 %% of them up to %s."
                .formatted(Plain.length(claims.p50()), Plain.length(claims.p99())),
        "Look at old transactions and dead rows first, then at the server's disk and cores: a claim"
            + " reads a few blocks, and waits for the lock of its queue.");
  }

  private static Finding storing(Check check, Writes writes) {
    return writes.refusedSince() == null
        ? check.ok("The database stores what this process writes.")
        : check.bad(
            "The database has stored nothing from this process since %s: %s."
                .formatted(Moment.words(writes.refusedSince()), writes.why()),
            ADVICE.getOrDefault(writes.state(), "See the server's log."));
  }
}
