package dev.ebb.db.claim;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.circuit.Circuit;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.StoredSettings;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.QueueLock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first half of a claim, in one round trip: takes the locks of the queues, and reads their
 * settings, the states of their limiters, and the due jobs that no lease names.
 *
 * <p>Settings and jobs are statements of their own because each has to take its snapshot after the
 * locks.
 */
final class Look {
  static final String LOCKS = QueueLock.TAKE_SOME_WITH_SETTINGS + Limiters.LOCKED + ";";

  private Look() {}

  /**
   * Where the look at a queue begins.
   *
   * @param ordered whether the last one saw that jobs have ordering keys
   */
  record Place(ScanCursor cursor, LeaseFloor leases, boolean ordered) {
    static final Place BEGINNING = new Place(new ScanCursor(), LeaseFloor.NONE, false);
  }

  /** A queue, and which of the scans are its own. */
  private record Asked(String queue, int most, int first, int last, LeaseFloor leases) {}

  /**
   * What a queue has.
   *
   * @param asked for how many jobs the claim asked: no more than its limits can ever let through
   * @param view {@code null} if it has no settings
   * @param due none while it is paused
   */
  record Seen(int asked, Limiters.@Nullable LimiterView view, DueJobs due) {
    /** A claim that wants as many gets no more, whatever its limits are used for. */
    static Seen of(int wanted, Limiters.@Nullable LimiterView view) {
      int most = view == null ? wanted : Math.min(wanted, view.mostAtOnce());
      return new Seen(most, view, new DueJobs());
    }

    /** That of its destination; {@code null} if it has none. */
    @Nullable Circuit circuit() {
      return view == null ? null : view.circuit();
    }

    QueueDefaults defaults() {
      return view == null
          ? new QueueDefaults(StoredSettings.DEFAULT_POLICY, null, null)
          : new QueueDefaults(view.policy(), view.destination(), view.circuit());
    }
  }

  /**
   * Each queue whose lock was free; waits for that of a single one. If jobs turn out to have
   * ordering keys, what was seen is not what may start: then it looks once more.
   */
  static Map<String, Seen> at(
      Connection connection, ClaimRequest request, Map<String, Place> from, Patience patience)
      throws SQLException {
    boolean inTurn = from.values().stream().anyMatch(Place::ordered);
    Due due = Due.on(connection);
    String look = inTurn ? due.inTurn() : due.any();
    try (PreparedStatement statement = Statements.prepare(connection, look)) {
      Parameters parameters = Parameters.of(statement);
      Scans scans = Scans.of(request, from);
      bindLocks(parameters, scans, patience);
      scans.bind(parameters, request.kinds(), inTurn);
      statement.execute();
      String[] taken = taken(Statements.nextResult(statement));
      Map<String, Limiters.LimiterView> views = views(Statements.nextResult(statement));
      Map<String, Seen> seen = new LinkedHashMap<>();
      for (String queue : taken) {
        int asked = request.most().getOrDefault(queue, 0);
        seen.put(queue, Seen.of(asked, views.get(queue)));
      }
      readDue(Statements.nextResult(statement), seen);
      return inTurn || seen.values().stream().noneMatch(one -> one.due.ordered())
          ? seen
          : at(connection, request, inTurn(request, from), patience);
    }
  }

  /** The same places, where jobs have ordering keys. */
  static Map<String, Place> inTurn(ClaimRequest request, Map<String, Place> from) {
    Map<String, Place> places = new HashMap<>();
    for (String queue : request.most().keySet()) {
      Place place = from.getOrDefault(queue, Place.BEGINNING);
      places.put(queue, new Place(place.cursor, place.leases, true));
    }
    return places;
  }

  private static void bindLocks(Parameters parameters, Scans scans, Patience patience)
      throws SQLException {
    var _ =
        parameters
            .text(Patience.setting(patience.lock()))
            .text(Patience.setting(patience.statement()))
            .columns(scans.asked)
            .text(Asked::queue);
    var _ = parameters.flag(scans.asked.size() == 1).flag(true);
    var _ =
        parameters
            .columns(scans.asked)
            .text(Asked::queue)
            .bigint(one -> one.leases.id())
            .time(one -> one.leases.readAt());
  }

  /** What is read of the queues, and which leases need not be. */
  private record Scans(List<Asked> asked, List<ScanCursor.Start> starts, List<Long> leasesBefore) {
    static Scans of(ClaimRequest request, Map<String, Place> from) {
      Scans scans = new Scans(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      request
          .most()
          .forEach(
              (queue, most) -> scans.add(queue, most, from.getOrDefault(queue, Place.BEGINNING)));
      return scans;
    }

    private void add(String queue, int most, Place place) {
      int first = starts.size() + 1;
      starts.addAll(place.cursor.starts());
      asked.add(new Asked(queue, most, first, starts.size(), place.leases));
      leasesBefore.addAll(place.cursor.leasesBefore());
    }

    /** The parameters of {@link Due}. */
    void bind(Parameters parameters, List<String> kinds, boolean inTurn) throws SQLException {
      var _ =
          parameters
              .columns(starts)
              .ints(ScanCursor.Start::low)
              .ints(ScanCursor.Start::high)
              .text(ScanCursor.Start::runAt)
              .ids(ScanCursor.Start::id);
      var _ =
          parameters
              .columns(asked)
              .text(Asked::queue)
              .ints(Asked::most)
              .ints(Asked::first)
              .ints(Asked::last)
              .bigint(one -> one.leases.id())
              .time(one -> one.leases.readAt());
      parameters.leases(leasesBefore).texts(kinds);
      if (inTurn) {
        var _ = parameters.texts(kinds);
      }
    }
  }

  private static String[] taken(ResultSet rows) throws SQLException {
    rows.next();
    return (String[]) rows.getArray(1).getArray();
  }

  private static Map<String, Limiters.LimiterView> views(ResultSet rows) throws SQLException {
    Map<String, Limiters.LimiterView> views = new HashMap<>();
    while (rows.next()) {
      views.put(rows.getString("name"), Limiters.view(rows));
    }
    return views;
  }

  // Reading a time is expensive: they all have the same.
  private static void readDue(ResultSet rows, Map<String, Seen> seen) throws SQLException {
    Instant now = Instant.EPOCH;
    while (rows.next()) {
      if (rows.isFirst()) {
        now = Rows.instant(rows, "now");
      }
      String queue = rows.getString("queue");
      Seen of = requireNonNull(seen.get(queue));
      if (of.due.lookedAt() == null) {
        of.due.looked(now, rows.getObject("first_lease", Long.class), rows.getInt("has_keys") > 0);
      }
      if (rows.getBoolean(19)) {
        ClaimedRow.other(rows, now, of.due);
      } else {
        of.due.add(ClaimedRow.due(rows, queue, of.defaults(), now));
      }
    }
  }
}
