package dev.ebb.core.health;

import static dev.ebb.core.health.Figure.SERVER;
import static dev.ebb.core.health.Figure.SLOTS;
import static dev.ebb.core.health.Figure.STANDBYS;
import static dev.ebb.core.health.Figure.TRANSACTIONS;
import static dev.ebb.core.health.Theme.SNAPSHOTS;

import dev.ebb.contract.DatabaseHealth.Slot;
import dev.ebb.contract.DatabaseHealth.Transaction;
import dev.ebb.core.health.Figure.Server;
import dev.ebb.core.health.Finding.Measure;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The checks of what keeps dead rows from being removed: transactions, slots, standbys. */
final class SnapshotChecks {
  /** How long a transaction may hold back the vacuum. */
  private static final Limit SNAPSHOT = Limit.seconds(Duration.ofMinutes(5), Duration.ofHours(1));

  private static final Limit HORIZON = new Limit("transactions", 1_000_000, 20_000_000);
  private static final Limit SLOT_LOG = new Limit("bytes", 1L << 30, 10L << 30);

  static final List<Check> ALL =
      List.of(
          Check.of(
                  SNAPSHOTS,
                  "oldest_transaction",
                  List.of(TRANSACTIONS, SERVER),
                  SnapshotChecks::oldest)
              .rule(SNAPSHOT.rule()),
          Check.of(
                  SNAPSHOTS,
                  "vacuum_horizon",
                  List.of(TRANSACTIONS, SLOTS, STANDBYS, SERVER),
                  SnapshotChecks::horizon)
              .rule(HORIZON.rule()),
          Check.of(SNAPSHOTS, "idle_slots", SLOTS, SnapshotChecks::idleSlots)
              .rule("Warns of a slot without a reader; bad from 10 GiB of log that it keeps."));

  private SnapshotChecks() {}

  private static Finding oldest(Check check, Figures figures) {
    Server server = figures.get(SERVER);
    Optional<Transaction> oldest =
        figures.get(TRANSACTIONS).stream().max(Comparator.comparing(Transaction::age));
    boolean isWell = oldest.isEmpty() || SNAPSHOT.of(oldest.get().age()) == Verdict.OK;
    int hidden = server.hiddenSessions();
    if (isWell && hidden > 0) {
      return check.hidden(
          "%s of other roles cannot be seen: any of them may hold an old snapshot."
              .formatted(hidden == 1 ? "One session" : Plain.number(hidden) + " sessions"),
          server);
    }
    return oldest
        .map(one -> judged(check, one))
        .orElseGet(() -> check.ok("No transaction is open.").measured(new Measure(0, SNAPSHOT)));
  }

  private static Finding judged(Check check, Transaction oldest) {
    String summary =
        "The oldest transaction is %s old: %s%s."
            .formatted(
                Plain.length(oldest.age()),
                owner(oldest),
                oldest.state() == null ? "" : ", " + oldest.state());
    String gid = oldest.gid();
    return check.by(
        SNAPSHOT,
        oldest.age(),
        summary,
        "While it lasts, dead rows of all tables stay, and claims read through them. "
            + (gid != null
                ? "Ask its transaction manager to end it, or roll it back by hand, as its owner or"
                    + " a superuser: what it wrote is lost."
                : "Have its owner end it, or end its session: the transaction is rolled back, and"
                    + " its client gets an error."),
        gid != null
            ? "rollback prepared " + Plain.quoted(gid) + ";"
            : "select pg_terminate_backend(" + oldest.pid() + ");");
  }

  private static String owner(Transaction one) {
    if (one.gid() != null) {
      return "the prepared transaction " + one.gid() + " of role " + one.role();
    }
    String application = Objects.requireNonNullElse(one.application(), "");
    return "%s %s of role %s%s"
        .formatted(
            one.own() ? "Ebb's own session" : "session",
            one.pid(),
            one.role(),
            application.isEmpty() ? "" : " (" + application + ")");
  }

  private record Holder(String name, long xids, String advice) {}

  private static Finding horizon(Check check, Figures figures) {
    Server server = figures.get(SERVER);
    Optional<Holder> holder = holders(figures).max(Comparator.comparingLong(Holder::xids));
    double xids = holder.map(one -> (double) one.xids()).orElse(0.0);
    if (HORIZON.of(xids) == Verdict.OK && server.hiddenSessions() + server.hiddenStandbys() > 0) {
      return check.hidden(
          "Some sessions or standbys cannot be seen: any of them may hold back the vacuum.",
          server);
    }
    return check.by(
        HORIZON,
        xids,
        holder
            .map(one ->
                "Dead rows of the last %s transactions must stay for %s."
                    .formatted(Plain.number(one.xids()), one.name()))
            .orElse("Nothing holds back the vacuum."),
        holder.map(Holder::advice).orElse(""));
  }

  /** Whatever holds it: those of slots and standbys have an age in transactions alone. */
  private static Stream<Holder> holders(Figures figures) {
    Stream<Holder> transactions =
        figures.get(TRANSACTIONS).stream()
            .map(one -> new Holder(owner(one), one.transactionsBehind(), "End it, as said above."));
    Stream<Holder> slots =
        figures.get(SLOTS).stream()
            .map(one ->
                new Holder(
                    "the replication slot " + one.name(),
                    one.transactionsBehind(),
                    "Bring back its reader, or drop the slot."));
    Stream<Holder> standbys =
        figures.get(STANDBYS).stream()
            .map(one ->
                new Holder(
                    "queries on the standby " + one.name(),
                    one.transactionsBehind(),
                    "End long queries there, or set hot_standby_feedback = off there: queries may"
                        + " then be cancelled."));
    return Stream.of(transactions, slots, standbys)
        .flatMap(each -> each)
        .filter(one -> one.xids() > 0);
  }

  private static Finding idleSlots(Check check, List<Slot> slots) {
    List<Slot> idle = slots.stream().filter(slot -> !slot.active()).toList();
    if (idle.isEmpty()) {
      return check.ok("No idle replication slots.").measured(new Measure(0, SLOT_LOG));
    }
    long kept =
        idle.stream()
            .mapToLong(slot -> Objects.requireNonNullElse(slot.keptBytes(), 0L))
            .reduce(0, Math::max);
    String names = idle.stream().map(Slot::name).collect(Collectors.joining(", "));
    return check
        .of(
            SLOT_LOG.of((double) kept) == Verdict.BAD ? Verdict.BAD : Verdict.WARN,
            (idle.size() == 1
                    ? "The replication slot %s has no reader; %s of log wait for it."
                    : idle.size() + " replication slots have no reader: %s; %s of log wait for it.")
                .formatted(names, Plain.bytes(kept)),
            "Bring back the reader before the disk is full, or drop the slot: its reader must then"
                + " be set up anew.",
            idle.stream()
                .map(one -> "select pg_drop_replication_slot(" + Plain.quoted(one.name()) + ");")
                .toArray(String[]::new))
        .measured(new Measure((double) kept, SLOT_LOG));
  }
}
