package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.WORK;

import dev.ebb.core.Moment;
import dev.ebb.core.health.SchemaHealth.Clock;
import dev.ebb.core.health.SchemaHealth.Due;
import dev.ebb.core.health.SchemaHealth.Start;
import dev.ebb.core.health.ServerHealth.Server;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Judges what the nodes see of the server, and what they leave undone. */
final class WorkChecks {
  private WorkChecks() {}

  static Finding connections(Part<Server> server) {
    return server.judged("connections", WORK, "The connections", WorkChecks::connections);
  }

  private static Finding connections(Server server) {
    double share = (double) server.connectionsUsed() / server.connections();
    return Finding.of(
            "connections",
            WORK,
            Limit.CONNECTIONS.of(share),
            "%s of %s connections are taken."
                .formatted(
                    Plain.number(server.connectionsUsed()), Plain.number(server.connections())),
            Limit.CONNECTIONS.rule())
        .measured(Limit.CONNECTIONS, share)
        .mend(
            "See who has them. Lower EBB_DB_POOL, put a pooling proxy in between, or raise"
                + " max_connections, which takes a restart.",
            "select usename, application_name, state, count(*) from pg_stat_activity group by 1, 2,"
                + " 3 order by 4 desc;");
  }

  static List<Finding> ofSchema(SchemaHealth health) {
    return List.of(
        health.start().judged("start", WORK, "The start", WorkChecks::start),
        health.due().judged("oldest_due", WORK, "The due jobs", WorkChecks::due),
        health.clocks().judged("clock_skew", WORK, "The nodes' clocks", WorkChecks::clocks));
  }

  private static Finding start(Start start) {
    boolean isPaused = start.pausedSince() != null;
    return Finding.of(
            "start",
            WORK,
            isPaused ? Verdict.WARN : Verdict.OK,
            isPaused
                ? "The start is paused since %s by %s: nothing runs."
                    .formatted(Moment.words(start.pausedSince()), start.pausedBy())
                : "The start is not paused.",
            "Warns while nothing runs because the start is paused.")
        .mend(
            "Look at what was restored, and then resume, on any page of the dashboard or by"
                + " ./ebb resume.");
  }

  private static Finding due(List<Due> queues) {
    Optional<Due> oldest =
        queues.stream().filter(queue -> !queue.paused()).max(Comparator.comparing(Due::age));
    Duration age = oldest.map(Due::age).orElse(Duration.ZERO);
    return Finding.of(
            "oldest_due",
            WORK,
            Limit.DUE.of(age),
            oldest
                .map(one ->
                    "The oldest due job waits for %s, in queue %s."
                        .formatted(Plain.length(one.age()), one.queue()))
                .orElse("No job is due, but in paused queues."),
            Limit.DUE.rule() + " Paused queues do not count.")
        .measured(Limit.DUE, age)
        .mend("Open the job: its page says why it waits.");
  }

  private static Finding clocks(List<Clock> clocks) {
    Optional<Clock> worst =
        clocks.stream().max(Comparator.comparing((Clock clock) -> clock.skew().abs()));
    Duration skew = worst.map(Clock::skew).orElse(Duration.ZERO);
    return Finding.of(
            "clock_skew",
            WORK,
            Limit.CLOCK.of(skew),
            worst
                .map(one ->
                    "The clock of node %s is %s %s the database's."
                        .formatted(
                            one.node(),
                            Plain.length(one.skew()),
                            one.skew().isNegative() ? "behind" : "ahead of"))
                .orElse("No node that lives has told its clock."),
            Limit.CLOCK.rule() + " Ahead or behind alike.")
        .measured(Limit.CLOCK, skew.abs())
        .mend("Set it by NTP. The database's clock decides when jobs run; logs show the node's.");
  }

  static Finding claims(Part<ClaimTimes> claims) {
    if (!claims.isRead()) {
      return Finding.unknown(
          "claim_times",
          WORK,
          "How long claims take is not known here: " + claims.why() + ".",
          "Ask a process that runs a worker: its /metrics show ebb_claims_seconds.");
    }
    ClaimTimes times = claims.get();
    boolean none = times.middle().isZero();
    return Finding.of(
            "claim_times",
            WORK,
            Limit.CLAIM.of(times.slow()),
            none
                ? "This process claimed nothing within the last minutes."
                : "Half of this process's claims took up to %s, all but one in a hundred up to %s."
                    .formatted(Plain.length(times.middle()), Plain.length(times.slow())),
            Limit.CLAIM.rule() + " Of the slowest in a hundred.")
        .measured(Limit.CLAIM, times.slow())
        .mend(
            "Look at old transactions and dead rows first, then at the server's disk and cores: a"
                + " claim reads a few blocks, and waits for the lock of its queue.");
  }
}
