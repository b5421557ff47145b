package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.SNAPSHOTS;

import dev.ebb.core.health.ServerHealth.Sessions;
import dev.ebb.core.health.ServerHealth.Slot;
import dev.ebb.core.health.ServerHealth.Transaction;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Judges what keeps dead rows from being removed: transactions, slots, standbys. */
final class SnapshotChecks {
  private static final String OLDEST = "oldest_transaction";
  private static final String HORIZON = "vacuum_horizon";
  private static final String SLOTS = "idle_slots";

  private final ServerHealth health;

  SnapshotChecks(ServerHealth health) {
    this.health = health;
  }

  List<Finding> all() {
    return List.of(
        health
            .sessions()
            .judged(OLDEST, SNAPSHOTS, "The open transactions", SnapshotChecks::oldest),
        horizon(),
        health
            .slots()
            .judged(SLOTS, SNAPSHOTS, "The replication slots", SnapshotChecks::idleSlots));
  }

  /** What shows the role all of the statistics. */
  static String grant(String role) {
    return "grant pg_monitor to " + role + ";";
  }

  private static Finding oldest(Sessions sessions) {
    Optional<Transaction> oldest =
        sessions.transactions().stream().max(Comparator.comparing(Transaction::age));
    Duration age = oldest.map(Transaction::age).orElse(Duration.ZERO);
    Verdict verdict = Limit.SNAPSHOT.of(age);
    if (verdict == Verdict.OK && sessions.hidden() > 0) {
      return hidden(OLDEST, sessions);
    }
    String summary =
        oldest
            .map(one ->
                "The oldest transaction is %s old: %s%s."
                    .formatted(
                        Plain.length(one.age()),
                        one.owner(),
                        one.state() == null ? "" : ", " + one.state()))
            .orElse("No transaction is open.");
    Finding finding =
        Finding.of(OLDEST, SNAPSHOTS, verdict, summary, Limit.SNAPSHOT.rule())
            .measured(Limit.SNAPSHOT, age);
    return oldest.isEmpty() ? finding : ended(finding, oldest.get());
  }

  private static Finding ended(Finding finding, Transaction oldest) {
    String harm = "While it lasts, dead rows of all tables stay, and claims read through them. ";
    if (oldest.gid() != null) {
      return finding.mend(
          harm
              + "Ask its transaction manager to end it, or roll it back by hand, as its owner or a"
              + " superuser: what it wrote is lost.",
          "rollback prepared " + Plain.quoted(oldest.gid()) + ";");
    }
    return finding.mend(
        harm
            + "Have its owner end it, or end its session: the transaction is rolled back, and its"
            + " client gets an error.",
        "select pg_terminate_backend(" + oldest.pid() + ");");
  }

  private static Finding hidden(String code, Sessions sessions) {
    return Finding.unknown(
        code,
        SNAPSHOTS,
        "%s of other roles cannot be seen: any of them may hold an old snapshot."
            .formatted(
                sessions.hidden() == 1
                    ? "One session"
                    : Plain.number(sessions.hidden()) + " sessions"),
        "Let the nodes' role read the statistics. It may then see what others run, and change"
            + " nothing.",
        grant(sessions.role()));
  }

  private record Holder(String name, long xids, String advice) {}

  /** Whatever holds it: those of slots and standbys have an age in transactions alone. */
  private Finding horizon() {
    if (!health.sessions().isRead() || !health.slots().isRead() || !health.standbys().isRead()) {
      return Finding.unknown(
          HORIZON,
          SNAPSHOTS,
          "What holds back the vacuum could not be read as a whole.",
          "Load this again.");
    }
    Optional<Holder> holder = holders().max(Comparator.comparingLong(Holder::xids));
    long xids = holder.map(Holder::xids).orElse(0L);
    Verdict verdict = Limit.HORIZON.of(xids);
    Sessions sessions = health.sessions().get();
    if (verdict == Verdict.OK && sessions.hidden() + health.standbys().get().hidden() > 0) {
      return hidden(HORIZON, sessions);
    }
    String summary =
        holder
            .map(one ->
                "Dead rows of the last %s transactions must stay for %s."
                    .formatted(Plain.number(one.xids()), one.name()))
            .orElse("Nothing holds back the vacuum.");
    return Finding.of(HORIZON, SNAPSHOTS, verdict, summary, Limit.HORIZON.rule())
        .measured(Limit.HORIZON, xids)
        .mend(holder.map(Holder::advice).orElse(""));
  }

  private Stream<Holder> holders() {
    Stream<Holder> transactions =
        health.sessions().get().transactions().stream()
            .map(one -> new Holder(one.owner(), one.xids(), "End it, as said above."));
    Stream<Holder> slots =
        health.slots().get().stream()
            .map(one ->
                new Holder(
                    "the replication slot " + one.name(),
                    one.xids(),
                    "Bring back its reader, or drop the slot."));
    Stream<Holder> standbys =
        health.standbys().get().all().stream()
            .map(one ->
                new Holder(
                    "queries on the standby " + one.name(),
                    one.xids(),
                    "End long queries there, or set hot_standby_feedback = off there: queries may"
                        + " then be cancelled."));
    return Stream.of(transactions, slots, standbys)
        .flatMap(each -> each)
        .filter(one -> one.xids() > 0);
  }

  private static Finding idleSlots(List<Slot> slots) {
    List<Slot> idle = slots.stream().filter(slot -> !slot.active()).toList();
    long kept =
        idle.stream()
            .map(Slot::keptBytes)
            .filter(Objects::nonNull)
            .mapToLong(Long::longValue)
            .max()
            .orElse(0);
    Verdict verdict = idle.isEmpty() ? Verdict.OK : Limit.SLOT_LOG.of(kept).or(Verdict.WARN);
    String names = String.join(", ", idle.stream().map(Slot::name).toList());
    String summary =
        switch (idle.size()) {
          case 0 -> "No idle replication slots.";
          case 1 -> "The replication slot " + names + " has no reader";
          default -> idle.size() + " replication slots have no reader: " + names;
        };
    return Finding.of(
            SLOTS,
            SNAPSHOTS,
            verdict,
            idle.isEmpty() ? summary : summary + "; " + Plain.bytes(kept) + " of log wait for it.",
            "Warns of a slot without a reader; bad from 10 GiB of log that it keeps.")
        .measured(Limit.SLOT_LOG, kept)
        .mend(
            "Bring back the reader before the disk is full, or drop the slot: its reader must then"
                + " be set up anew.",
            idle.stream()
                .map(one -> "select pg_drop_replication_slot(" + Plain.quoted(one.name()) + ");")
                .toArray(String[]::new));
  }
}
