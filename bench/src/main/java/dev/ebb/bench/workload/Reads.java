package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import dev.ebb.bench.report.Figure;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.errors.ErrorGroups;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks REST and the dashboard for what people look at, in a database with a long history. */
record Reads() implements OfEbb {
  private static final int ENDED = 10_000_000;
  private static final int PARKED = 1_000_000;
  private static final int DEAD = 100_000;

  /** How often each is asked for; the first time, when plans are made, is not counted. */
  private static final int TIMES = 50;

  /** That one of them may read, be there ten jobs or ten million. */
  private static final long MOST_BLOCKS = 100_000;

  private static final Map<Figure, List<String>> PATHS =
      Map.of(
          Figure.LISTS_P95,
          List.of(
              "/v1/jobs",
              "/v1/jobs?state=dead_letter",
              "/v1/jobs?q=state:retrying+attempts%3E0",
              "/v1/jobs?q=label:merchant%3Dnone",
              "/v1/jobs?q=error:nothing",
              "/v1/jobs?q=ended%3C1h"),
          Figure.COUNTS_P95,
          List.of("/v1/jobs/count", "/v1/jobs/count?q=state:dead+kind:echo"),
          Figure.GROUPS_P95,
          List.of("/v1/dead-letters/groups", "/v1/dead-letters/groups?queue=q1"),
          Figure.STATS_P95,
          List.of("/v1/stats/overview", "/v1/queues/q1/stats", "/v1/stats/forecast"),
          Figure.PAGES_P95,
          List.of(
              "/ui",
              "/ui/overview/jobs",
              "/ui/overview/forecast",
              "/ui/jobs",
              "/ui/jobs?q=state:retrying+attempts%3E0",
              "/ui/queues",
              "/ui/queues/q1",
              "/ui/dead",
              "/ui/operations",
              "/ui/operations/new?q=state%3Adead",
              "/ui/jobs/count?q=state%3Adead",
              "/ui/schedules",
              "/ui/schedules/s1",
              "/ui/nodes",
              "/ui/audit",
              "/ui/database",
              "/ui/lab",
              "/ui/settings"));

  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  // In pieces, because a transaction of ten million rows keeps its log for as long.
  private static final String END =
      """
      insert into ebb.history (
        id, run_at, created_at, started_at, attempt, max_attempts, priority, cancelled, queue, kind,
        node, labels)
      select
        uuidv7(), now(), now(), now(), 1, 16, 5, n % 100 = 0, 'q' || n % 20, 'echo',
        'n', jsonb_build_object('merchant', 'm' || n % 1000)
      from generate_series(1, ?) n
      """;

  private static final String PARK =
      """
      insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
      select
        now() + n % 36000 * interval '0.1 second', n % 3, 16, 5, 'q' || n % 20, 'echo',
        '{"order":' || n || '}'
      from generate_series(1, ?) n
      """;

  private static final String DIE =
      """
      insert into ebb.dead_letter (
        id, died_at, reason, failure_reason, failure, started_at, node, run_at, created_at, version,
        attempt, max_attempts, priority, queue, kind, payload)
      select
        uuidv7(), now() - n % 604800 * interval '1 second', 'max_attempts', 'http_500',
        'merchant ' || n || ' answered 500', now(), 'n', now(), now(), 1,
        16, 16, 5, 'q' || n % 20, 'echo', '{"order":' || n || '}'
      from generate_series(1, ?) n
      """;

  /** A day by minutes, and 30 days by hours. */
  private static final String COUNT =
      """
      insert into ebb.stat (
        at, step, queue, kind, submitted, started, completed, failed, throttled, dead, cancelled,
        redriven, discarded, released, snoozed, wait_micros, run_micros, wait, run)
      select
        date_trunc('hour', now()) - n * s.step * interval '1 minute', s.step, 'q' || q, 'echo',
        9, 9, 8, 1, 0, 0, 0, 0, 0, 0, 0, 9000, 90000, '{0,0,0,9}', '{0,0,0,0,0,9}'
      from (values (1, 1440), (60, 720)) as s (step, steps)
      cross join lateral generate_series(1, s.steps) n
      cross join generate_series(0, 19) q
      """;

  private static final String SCHEDULE =
      """
      insert into ebb.schedule (
        name, cron, origin, zone, excluded_weekdays, excluded_dates, excluded_yearly, job,
        misfire, most_misfires, overlap, next_fire_at)
      select
        's' || n, '0 9 * * *', now(), 'America/Sao_Paulo', '{}', '{}', '{}',
        '{"kind": "echo", "queue": "q1", "payload": "{}", "priority": 5, "labels": {}}',
        'once', 100, 'allow', now() + n * interval '1 minute'
      from generate_series(1, 200) n
      """;

  private static final String FIRE =
      """
      insert into ebb.schedule_fire (schedule, fire_at, job_id)
      select 's' || n, now() - day * interval '1 day', uuidv7()
      from generate_series(1, 200) n
      cross join generate_series(1, 30) day
      """;

  @Override
  public String id() {
    return "reads";
  }

  @Override
  public String sentence() {
    return "What people look at, over loopback on one connection, beside 10,000,000 ended jobs,"
        + " 1,000,000 parked ones and 100,000 dead letters: "
        + TIMES
        + " times each. The figures are those of the slowest one of a kind; none may read more than"
        + " 100,000 blocks.";
  }

  @Override
  public double warmUp() {
    return 0;
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    round.prepare(1, 1, 0);
    fill(round);
    round.rest();
    round.open();
    int port = (int) round.first().ask(new Request.Serve(true)).value();
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.JOBS, (double) round.scaled(ENDED));
    List<Integer> all = new ArrayList<>();
    try (RestClient client = new RestClient(port, null)) {
      for (Map.Entry<Figure, List<String>> kind : PATHS.entrySet()) {
        List<String> paths = new ArrayList<>(kind.getValue());
        if (kind.getKey() == Figure.PAGES_P95) {
          paths.add("/ui/jobs/" + firstId(client, "/v1/jobs?state=completed&limit=1"));
          paths.add("/ui/jobs/" + firstId(client, "/v1/jobs?state=dead_letter&limit=1"));
          paths.add("/ui/dead/" + firstId(client, "/v1/dead-letters/groups?limit=1"));
        }
        Map<String, List<Integer>> micros = ask(client, paths);
        figures.put(kind.getKey(), slowest(micros));
        checkBlocks(round, client, paths);
        micros.values().forEach(all::addAll);
      }
    }
    figures.putAll(Figures.percentiles(all));
    round.leave();
    return figures;
  }

  private static void fill(Round round) throws Exception {
    try (Connection connection = round.connect()) {
      int ended = round.scaled(ENDED);
      int piece = Math.min(ended, 500_000);
      for (int done = 0; done < ended; done += piece) {
        insert(connection, END, Math.min(piece, ended - done));
      }
      insert(connection, PARK, round.scaled(PARKED));
      insert(connection, DIE, round.scaled(DEAD));
      Sql.execute(connection, COUNT);
      Sql.execute(connection, SCHEDULE);
      Sql.execute(connection, FIRE);
      Sql.execute(connection, "select ebb.recount_queues()");
    }
    group(round.target());
  }

  private static void group(Target target) throws SQLException {
    DatabaseConfig config = DatabaseConfig.of(target.url(), target.user(), target.password());
    try (Database database = Database.open(config)) {
      ErrorGroups groups = new ErrorGroups(database);
      boolean hasMore = true;
      while (hasMore) {
        hasMore = groups.groupNew();
      }
    }
  }

  private static void insert(Connection connection, String sql, int rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, rows);
      statement.executeUpdate();
    }
  }

  private static String firstId(RestClient client, String list) throws IOException {
    Matcher id = ID.matcher(client.get(list));
    if (!id.find()) {
      throw new IOException(list + " is empty");
    }
    return id.group(1);
  }

  /** The times of each path. */
  private static Map<String, List<Integer>> ask(RestClient client, List<String> paths)
      throws Exception {
    Map<String, List<Integer>> micros = new LinkedHashMap<>();
    for (int i = 0; i <= TIMES; i++) {
      for (String path : paths) {
        long start = System.nanoTime();
        client.get(path);
        if (i > 0) {
          micros
              .computeIfAbsent(path, _ -> new ArrayList<>())
              .add(Math.toIntExact((System.nanoTime() - start) / 1000));
        }
      }
    }
    return micros;
  }

  /** Fails if a page reads more blocks than one may, however many jobs there are. */
  private static void checkBlocks(Round round, RestClient client, List<String> paths)
      throws Exception {
    for (String path : paths) {
      long before = round.blocks();
      client.get(path);
      long blocks = round.blocks() - before;
      System.err.printf(Locale.ROOT, "%,8d blocks  %s%n", blocks, path);
      if (blocks > MOST_BLOCKS) {
        throw new CheckFailed(String.format(Locale.ROOT, "%s read %,d blocks", path, blocks));
      }
    }
  }

  /** The 95th percentile of the path for which that is the highest. */
  private static double slowest(Map<String, List<Integer>> micros) {
    double slowest = 0;
    for (Map.Entry<String, List<Integer>> path : micros.entrySet()) {
      double p95 = Figures.percentiles(path.getValue()).getOrDefault(Figure.P95, 0.0);
      System.err.printf(Locale.ROOT, "%8.1f ms  %s%n", p95, path.getKey());
      slowest = Math.max(slowest, p95);
    }
    return slowest;
  }
}
