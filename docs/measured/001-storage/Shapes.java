import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures the storage shapes with the statements of a1.sql, b3.sql and e1.sql: see README.md. */
final class Shapes {
  static String url;

  public static void main(String[] args) throws Exception {
    url = args[0];
    int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
    switch (args[1]) {
      case "drain" -> drains(rounds, args.length > 3 ? Integer.parseInt(args[3]) : 40_000);
      case "inflight" -> inFlight(rounds);
      case "parked" -> parked(rounds);
      case "pinned" -> pinned(rounds);
      case "retry" -> retries(rounds);
      case "cached" -> cached();
      default -> throw new IllegalArgumentException("drain, inflight, parked, pinned, retry or cached");
    }
    report.forEach((what, values) -> System.out.println(what + ": " + summary(values)));
  }

  // ---- what is measured -----------------------------------------------------------------------

  /** Jobs/s, WAL and dead row versions of a fill and a drain, shapes in turn. */
  static void drains(int rounds, int jobs) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (int batch : new int[] {100, 500}) {
        for (int clients : new int[] {1, 2, 4}) {
          for (String shape : List.of("a1", "b3", "e1", "e1+async", "e1+queues")) {
            drain(shape, batch, clients, jobs);
          }
        }
      }
    }
  }

  static void drain(String shape, int batch, int clients, int jobs) throws Exception {
    String name = "%s batch %s clients %s ".formatted(shape, batch, clients);
    try (Client admin = new Client(shape)) {
      admin.empty();
      long walBefore = admin.wal();
      int queues = shape.equals("e1+queues") ? clients : 1;
      for (int n = 0; n < queues; n++) {
        admin.fill(jobs / queues, "q" + n, 5, "0");
      }
      long walFilled = admin.wal();
      long deadBefore = admin.dead();
      long start = System.nanoTime();
      AtomicInteger next = new AtomicInteger();
      int settled =
          together(clients, () -> drainOnce(shape, batch, "q" + next.getAndIncrement() % queues));
      double seconds = (System.nanoTime() - start) / 1e9;
      if (settled != jobs) {
        throw new IllegalStateException(name + "settled " + settled + " of " + jobs);
      }
      note(name + "jobs/s", jobs / seconds);
      note(name + "WAL B/job", (admin.wal() - walFilled) / (double) jobs);
      note(name + "dead/job", (admin.dead() - deadBefore) / (double) jobs);
      note(admin.shape + " fill WAL B/job", (walFilled - walBefore) / (double) jobs);
    }
  }

  static int drainOnce(String shape, int batch, String queue) throws SQLException {
    int settled = 0;
    try (Client client = new Client(shape)) {
      client.queue = queue;
      for (Batch taken = client.claim(batch); taken.size() > 0; taken = client.claim(batch)) {
        int now = client.complete(taken);
        if (now != taken.size()) {
          throw new IllegalStateException("claimed twice");
        }
        settled += now;
      }
    }
    return settled;
  }

  /** A claim of 100 while others are in flight: in batches of 100, of one, and in another queue. */
  static void inFlight(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (String shape : List.of("a1", "b3", "e1", "e1+position")) {
        claimBeside(shape, "nothing in flight", 0, 100, "q");
        claimBeside(shape, "1,000 in flight", 1_000, 100, "q");
        claimBeside(shape, "10,000 in flight", 10_000, 100, "q");
        claimBeside(shape, "10,000 in flight, another queue", 10_000, 100, "other");
      }
      claimBeside("e1", "1,000 in flight, leases of one", 1_000, 1, "q");
      claimBeside("e1", "10,000 in flight, leases of one", 10_000, 1, "q");
    }
  }

  static void claimBeside(String shape, String name, int inFlight, int batch, String queue)
      throws SQLException {
    try (Client client = new Client(shape)) {
      client.empty();
      client.fill(inFlight, queue, 5, "0");
      client.queue = queue;
      if (batch == 1) {
        client.leaseEach();
      }
      for (int i = 0; batch > 1 && i < inFlight; i += batch) {
        client.claim(batch);
      }
      client.fill(8_000, "q", 5, "0");
      client.queue = "q";
      note(shape + " claim us, " + name, client.claims(60, 100));
    }
  }

  /** A claim of 100 beside 1,000,000 jobs parked in the future. */
  static void parked(int rounds) throws Exception {
    int[] ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (String shape : List.of("b3", "e1")) {
      parked(shape, "nothing parked", rounds, 0, new int[] {5});
      parked(shape, "same priority", rounds, 1_000_000, new int[] {5});
      parked(shape, "higher priority", rounds, 1_000_000, new int[] {1});
      parked(shape, "all ten priorities", rounds, 1_000_000, ten);
    }
  }

  static void parked(String shape, String name, int rounds, int jobs, int[] priorities)
      throws SQLException {
    try (Client client = new Client(shape)) {
      client.empty();
      for (int priority : priorities) {
        client.fill(jobs / priorities.length, "q", priority, "3600 + 10 * random()");
      }
      // The due ones come last in the order: behind everything that is parked.
      int due = priorities.length == 1 ? 5 : 9;
      for (String state : List.of("never analysed", "analysed")) {
        client.run(state.equals("analysed") ? "vacuum analyze" : "checkpoint");
        for (int round = 0; round < rounds; round++) {
          client.fill(8_000, "q", due, "0");
          note(shape + " claim us, " + name + ", " + state, client.claims(60, 100));
          client.drainQuietly();
          client.run("vacuum");
        }
      }
    }
  }

  /** 80,000 jobs through a queue kept near empty, first and last 50 claims, an old snapshot held. */
  static void pinned(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (String shape : List.of("a1", "b3", "e1", "e1+position")) {
        for (boolean held : new boolean[] {false, true}) {
          pinned(shape, held);
        }
      }
    }
  }

  static void pinned(String shape, boolean held) throws SQLException {
    try (Client client = new Client(shape);
        Client old = new Client(shape)) {
      client.empty();
      if (held) {
        old.run("begin isolation level repeatable read");
        old.number("select count(*) from job");
      }
      double[] claims = new double[800];
      double[] completes = new double[800];
      for (int i = 0; i < 800; i++) {
        client.fill(100, "q", 5, "0");
        long start = System.nanoTime();
        Batch taken = client.claim(100);
        claims[i] = (System.nanoTime() - start) / 1e3;
        start = System.nanoTime();
        client.complete(taken);
        completes[i] = (System.nanoTime() - start) / 1e3;
      }
      String name = shape + (held ? ", old snapshot" : ", none") + ": ";
      note(name + "claim us, first 50", median(Arrays.copyOf(claims, 50)));
      note(name + "claim us, last 50", median(Arrays.copyOfRange(claims, 750, 800)));
      note(name + "complete us, first 50", median(Arrays.copyOf(completes, 50)));
      note(name + "complete us, last 50", median(Arrays.copyOfRange(completes, 750, 800)));
    }
  }

  /** What a failed job costs when it goes back to its queue. */
  static void retries(int rounds) throws SQLException {
    for (int round = 0; round < rounds; round++) {
      try (Client client = new Client("e1")) {
        int jobs = 10_000;
        client.empty();
        client.fill(jobs, "q", 5, "0");
        long wal = client.wal();
        long dead = client.dead();
        double[] micros = new double[jobs / 100];
        for (int i = 0; i < micros.length; i++) {
          Batch taken = client.claim(100);
          long start = System.nanoTime();
          client.retry(taken);
          micros[i] = (System.nanoTime() - start) / 1e3;
        }
        note("e1 claim and retry WAL B/job", (client.wal() - wal) / (double) jobs);
        note("e1 claim and retry dead/job", (client.dead() - dead) / (double) jobs);
        note("e1 retry of 100 us", median(micros));
      }
    }
  }

  /** Which statements the driver prepared on the server, and how often their plan was the cached one. */
  static void cached() throws SQLException {
    try (Client client = new Client("e1")) {
      client.empty();
      client.fill(10_000, "q", 5, "0");
      client.claims(60, 100);
      String sql = "select left(statement, 30), custom_plans, generic_plans from pg_prepared_statements";
      try (ResultSet rows = client.connection.createStatement().executeQuery(sql)) {
        while (rows.next()) {
          System.out.println(rows.getString(1).replace("\n", " ") + " custom " + rows.getInt(2) + " generic " + rows.getInt(3));
        }
      }
    }
  }

  // ---- a client -------------------------------------------------------------------------------

  record Batch(List<UUID> ids, List<Integer> versions, List<Long> leases) {
    int size() {
      return ids.size();
    }
  }

  /** One connection to one shape's schema. */
  static final class Client implements AutoCloseable {
    final String shape;
    final boolean remembers;
    final Connection connection;
    final Map<String, Verb> verbs;
    String queue = "q";
    Object[] position = start();

    Client(String name) throws SQLException {
      remembers = name.endsWith("+position");
      shape = name.replaceFirst("\\+.*", "");
      connection = DriverManager.getConnection(url + (url.contains("?") ? "&" : "?") + "currentSchema=" + shape);
      verbs = Verb.read(Path.of(shape + ".sql"), name.endsWith("+async"));
    }

    static Object[] start() {
      return new Object[] {Short.MIN_VALUE, new Timestamp(0), new UUID(0, 0)};
    }

    Batch claim(int limit) throws SQLException {
      String[] kinds = {"k"};
      return switch (shape) {
        case "a1" -> taken("turn", "claim", queue, kinds, limit, "node-1", "1 hour");
        case "b3" -> taken("turn", "claim", queue, limit, "node-1", "1 hour");
        default -> claimE1(kinds, limit);
      };
    }

    private Batch claimE1(String[] kinds, int limit) throws SQLException {
      Object[] given = {queue, kinds, limit, 4_000_000L, "node-1", "1 hour"};
      if (!remembers) {
        return taken("claim_turn", "claim", given);
      }
      Object[] all = Arrays.copyOf(given, 9);
      System.arraycopy(position, 0, all, 6, 3);
      return taken("claim_turn", "claim_after", all);
    }

    private Batch taken(String turn, String claim, Object... given) throws SQLException {
      Batch taken = new Batch(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      try (ResultSet rows = call(turn, claim, given)) {
        while (rows.next()) {
          taken.ids.add(rows.getObject("id", UUID.class));
          taken.versions.add(rows.getInt("version"));
          taken.leases.add(rows.getLong("lease_id"));
          rows.getString("payload");
          if (remembers) {
            position = new Object[] {rows.getShort("priority"), rows.getTimestamp("run_at"), rows.getObject("id")};
          }
        }
      }
      return taken;
    }

    int complete(Batch batch) throws SQLException {
      UUID[] ids = batch.ids.toArray(UUID[]::new);
      Integer[] versions = batch.versions.toArray(Integer[]::new);
      Long[] leases = batch.leases.toArray(Long[]::new);
      Long[] ended = batch.leases.stream().distinct().toArray(Long[]::new);
      return switch (shape) {
        case "a1" -> count(call("turn", "complete", ids, versions));
        case "b3" -> count(call("turn", "complete", ids, leases, ended));
        default -> count(call("settle_turn", "complete", ids, versions, leases, ended));
      };
    }

    int retry(Batch batch) throws SQLException {
      String[] delays = new String[batch.size()];
      Arrays.fill(delays, "1 hour");
      String[] reasons = new String[batch.size()];
      Arrays.fill(reasons, "http_500");
      return count(call("settle_turn", "retry", batch.ids.toArray(UUID[]::new), batch.versions.toArray(Integer[]::new),
          batch.leases.toArray(Long[]::new), delays, reasons));
    }

    /** Sends both statements in one round trip and answers the second one's rows. */
    private ResultSet call(String turn, String verb, Object... given) throws SQLException {
      Verb first = verbs.get(turn);
      Verb second = verbs.get(verb);
      PreparedStatement both = prepared.computeIfAbsent(verb, key -> {
        try {
          return connection.prepareStatement(first.sql + ";" + second.sql + ";commit");
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      });
      int place = first.bind(both, 1, given);
      second.bind(both, place, given);
      // An open transaction, so that the driver may send a Sync between the statements.
      connection.setAutoCommit(false);
      both.execute();
      both.getMoreResults();
      ResultSet rows = both.getResultSet();
      connection.setAutoCommit(true);
      return rows;
    }

    private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>();

    private static int count(ResultSet rows) throws SQLException {
      try (rows) {
        int count = 0;
        while (rows.next()) {
          count++;
        }
        return count;
      }
    }

    /** The median time in microseconds of claims of which each is completed. */
    double claims(int times, int limit) throws SQLException {
      double[] micros = new double[times];
      for (int i = 0; i < times; i++) {
        long start = System.nanoTime();
        Batch taken = claim(limit);
        micros[i] = (System.nanoTime() - start) / 1e3;
        if (taken.size() != limit || complete(taken) != limit) {
          throw new IllegalStateException("claimed or settled fewer than there are");
        }
      }
      return median(micros);
    }

    /** A lease of its own for each job. */
    void leaseEach() throws SQLException {
      run(
          """
          insert into lease (queue, node, claimed_at, expires_at, job_ids, versions)
          select queue, 'node-1', now(), now() + interval '1 hour', array[id], array[version] from job""");
    }

    void drainQuietly() throws SQLException {
      for (Batch taken = claim(500); taken.size() > 0; taken = claim(500)) {
        complete(taken);
      }
    }

    void empty() throws SQLException {
      run("truncate job, history");
      if (!shape.equals("a1")) {
        run("truncate lease");
      }
      if (shape.equals("b3")) {
        run("truncate ready");
      }
      run("checkpoint");
    }

    /** Submits jobs, 1,000 to a statement, due after so many seconds. */
    void fill(int jobs, String inQueue, int priority, String dueIn) throws SQLException {
      String insert =
          """
          insert into job (queue, kind, priority, run_at, max_attempts, payload)
          select '%s', 'k', %s, now() + interval '1 s' * (%s), 5,
            rpad(md5(n::text), 200, md5((n + 1)::text))
            from generate_series(1, %s) as n""";
      for (int left = jobs; left > 0; left -= 1_000) {
        String sql = insert.formatted(inQueue, priority, dueIn, Math.min(left, 1_000));
        run(shape.equals("b3")
            ? "with stored as (" + sql + " returning queue, priority, run_at, id) insert into ready table stored"
            : sql);
      }
    }

    long wal() throws SQLException {
      return number("select (pg_current_wal_insert_lsn() - '0/0')::bigint");
    }

    /** Row versions that updates and deletes left behind so far; deleted rows that a rollback made are none. */
    long dead() throws SQLException {
      run("select pg_stat_force_next_flush()");
      // The counts of a connection that was closed arrive when its process ends.
      while (number("select count(*) from pg_stat_activity where datname = current_database()") > 1) {
        run("select pg_sleep(0.02)");
      }
      run("select pg_stat_clear_snapshot()");
      return number("select sum(n_tup_upd + n_tup_del) from pg_stat_user_tables where schemaname = '" + shape + "'");
    }

    long number(String sql) throws SQLException {
      try (ResultSet rows = connection.createStatement().executeQuery(sql)) {
        rows.next();
        return rows.getLong(1);
      }
    }

    void run(String sql) throws SQLException {
      try (var statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /** A statement of a .sql file, with {@code ?} and a cast where the file has {@code $n}. */
  record Verb(String sql, List<Integer> order, String[] types) {
    private static final Pattern PREPARE =
        Pattern.compile("prepare (\\w+)\\s*(?:\\(([^)]*)\\))? as\\s(.*?);\\s*$", Pattern.DOTALL | Pattern.MULTILINE);

    /** Reads a file; where the claims shall commit asynchronously, their turn says so. */
    static Map<String, Verb> read(Path file, boolean async) {
      try {
        String text = Files.readString(file).replaceAll("--[^\n]*", "");
        if (async) {
          text = text.replace("  pg_advisory", "  set_config('synchronous_commit', 'off', true), pg_advisory");
        }
        Map<String, Verb> verbs = new LinkedHashMap<>();
        for (Matcher found = PREPARE.matcher(text); found.find(); ) {
          String[] types = found.group(2) == null ? new String[0] : found.group(2).split(", *");
          List<Integer> order = new ArrayList<>();
          String sql = Pattern.compile("\\$(\\d)").matcher(found.group(3)).replaceAll(place -> {
            int n = Integer.parseInt(place.group(1)) - 1;
            order.add(n);
            return "?::" + types[n];
          });
          verbs.put(found.group(1), new Verb(sql, order, types));
        }
        return verbs;
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    int bind(PreparedStatement statement, int from, Object... given) throws SQLException {
      int place = from;
      for (int n : order) {
        String type = types[n];
        Object value = given[n];
        statement.setObject(
            place++,
            type.endsWith("[]")
                ? statement.getConnection().createArrayOf(element(type), (Object[]) value)
                : value);
      }
      return place;
    }

    private static String element(String type) {
      String element = type.replace("[]", "");
      return element.equals("interval") ? "text" : element;
    }
  }

  // ---- figures --------------------------------------------------------------------------------

  static final Map<String, List<Double>> report = new TreeMap<>();

  static void note(String what, double value) {
    report.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
    System.err.printf(Locale.ROOT, "%s: %.2f%n", what, value);
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  static String summary(List<Double> values) {
    double[] all = values.stream().mapToDouble(v -> v).toArray();
    Arrays.sort(all);
    String form = all[all.length - 1] < 100 ? "%.2f (%.2f–%.2f)" : "%,.0f (%,.0f–%,.0f)";
    return String.format(Locale.ROOT, form, median(all), all[0], all[all.length - 1]);
  }

  static int together(int clients, Callable<Integer> work) throws Exception {
    try (var threads = Executors.newFixedThreadPool(clients)) {
      int sum = 0;
      for (Future<Integer> done : threads.invokeAll(java.util.Collections.nCopies(clients, work))) {
        sum += done.get();
      }
      return sum;
    }
  }
}
