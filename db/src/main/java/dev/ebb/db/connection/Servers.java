package dev.ebb.db.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers that a URL names, and which of them has Ebb's database: the newest primary, unless a
 * newer one was seen before.
 *
 * <pre>
 *   connect ──▶ the server of the last connection ──known, or newer──▶ connection
 *                  │ gone, a standby, or refused
 *                  ▼
 *               every server of the URL ──▶ the newest primary ──known, or newer──▶ connection
 *                                                 └── refused: WrongDatabase
 * </pre>
 *
 * <p>That a server takes writes does not say that it is the database: after a failover, the old
 * primary that is started again takes them too.
 */
final class Servers {
  private static final Logger LOG = LoggerFactory.getLogger(Servers.class);
  private static final Pattern HOSTS = Pattern.compile("(jdbc:postgresql://)([^/?]*,[^/?]*)(.*)");

  /** The server does not tell (42501), or does not know how (42883). */
  private static final List<String> SILENT = List.of("42501", "42883");

  private final List<String> urls;
  private final DatabaseConfig config;
  private final KnownIdentity known;
  private final Sessions sessions = new Sessions();
  private final List<Runnable> onMove = new CopyOnWriteArrayList<>();
  private volatile @Nullable String current;
  private volatile @Nullable String last;
  private volatile List<Stranger> strangers = List.of();

  Servers(DatabaseConfig config, KnownIdentity known) {
    this.config = config;
    this.urls = each(config.url());
    this.known = known;
  }

  /** Has this run when the database is found on another server than before. */
  void onMove(Runnable action) {
    onMove.add(action);
  }

  /** A server's answer: a connection to a primary, or why there is none. */
  private record Answer(
      String url,
      @Nullable Connection connection,
      @Nullable Identity identity,
      @Nullable SQLException failure) {

    boolean isPrimary() {
      return connection != null;
    }
  }

  /** Closes a connection that nobody was given. */
  private void discard(@Nullable Connection connection) {
    if (connection != null) {
      sessions.forget(connection);
      try {
        connection.close();
      } catch (SQLException e) {
        LOG.debug("a connection did not close", e);
      }
    }
  }

  static List<String> each(String url) {
    Matcher many = HOSTS.matcher(url);
    if (!many.matches()) {
      return List.of(url);
    }
    List<String> urls = new ArrayList<>();
    for (String host : many.group(2).split(",", -1)) {
      urls.add(many.group(1) + host + many.group(3));
    }
    return urls.stream().distinct().toList();
  }

  static String address(String url) {
    return url.replaceFirst("jdbc:postgresql:/*", "").replaceFirst("[/?].*", "");
  }

  /**
   * A new connection to Ebb's database.
   *
   * @throws WrongDatabase if only others take writes
   */
  Connection connect() throws SQLException {
    String url = current;
    if (url == null) {
      return chosen(null);
    }
    Answer answer = ask(url);
    try {
      return admitted(answer);
    } catch (SQLException failure) {
      discard(answer.connection);
      return chosen(new Answer(url, null, null, failure));
    }
  }

  /**
   * To the newest primary.
   *
   * @param failed the answer of a server that is not asked again; {@code null} for none
   */
  private Connection chosen(@Nullable Answer failed) throws SQLException {
    List<Answer> answers = askAll(failed);
    Answer best = newest(answers);
    try {
      Connection connection = admitted(best);
      strangers = strangers(answers, best);
      moveTo(best.url);
      return connection;
    } catch (SQLException failure) {
      discard(best.connection);
      if (failure instanceof WrongDatabase wrong) {
        strangers = List.of(new Stranger(address(best.url), wrong.why()));
      }
      throw failure;
    } finally {
      answers.stream()
          .filter(answer -> !answer.url.equals(best.url))
          .forEach(answer -> discard(answer.connection));
    }
  }

  private void moveTo(String url) {
    String before = last;
    // Of one server nothing has to be found out.
    current = urls.size() == 1 ? null : url;
    last = url;
    if (before != null && !before.equals(url)) {
      LOG.warn("the database is at {} now, and no more at {}", address(url), address(before));
      onMove.forEach(Runnable::run);
    }
  }

  /** Of those that may be it; without any, another primary; without that, a failure. */
  private Answer newest(List<Answer> answers) {
    return answers.stream()
        .max(
            Comparator.comparing(Answer::isPrimary)
                .thenComparing(this::mayBeIt)
                .thenComparing(answer -> answer.failure instanceof WrongDatabase)
                .thenComparing(Answer::identity, Comparator.nullsFirst(Comparator.naturalOrder())))
        .orElseThrow();
  }

  private boolean mayBeIt(Answer answer) {
    Identity newest = known.newest();
    return answer.identity == null || newest == null || answer.identity.whyNot(newest) == null;
  }

  private Connection admitted(Answer answer) throws SQLException {
    if (answer.connection == null) {
      throw answer.failure == null ? new SQLException("no server answers") : answer.failure;
    }
    if (answer.identity != null) {
      known.admit(answer.identity, address(answer.url));
    }
    return answer.connection;
  }

  private List<Answer> askAll(@Nullable Answer failed) {
    if (urls.size() == 1) {
      return List.of(ask(urls.getFirst()));
    }
    List<CompletableFuture<Answer>> asked =
        urls.stream()
            .map(url ->
                failed != null && failed.url.equals(url)
                    ? CompletableFuture.completedFuture(failed)
                    : CompletableFuture.supplyAsync(() -> ask(url), Servers::onThread))
            .toList();
    return asked.stream().map(CompletableFuture::join).toList();
  }

  private static void onThread(Runnable asking) {
    Thread.ofPlatform().daemon().name("ebb-servers").start(asking);
  }

  private Answer ask(String url) {
    try {
      Connection connection = Login.connect(url, config);
      try {
        return new Answer(url, connection, identity(connection, url), null);
      } catch (SQLException | RuntimeException failure) {
        discard(connection);
        throw failure;
      }
    } catch (SQLException failure) {
      return new Answer(url, null, null, failure);
    }
  }

  /** {@code null} of a server that does not tell. */
  private @Nullable Identity identity(Connection connection, String url) throws SQLException {
    Identity.Said said;
    try {
      said = Identity.read(connection);
    } catch (SQLException failure) {
      if (SILENT.contains(failure.getSQLState())) {
        return null;
      }
      throw failure;
    }
    if (!config.pooler()) {
      sessions.add(connection, said.now());
    }
    if (said.server() != null && said.database() != null) {
      String why = said.server().whyNot(said.database());
      if (why != null) {
        throw new WrongDatabase(address(url), why);
      }
    }
    return said.server();
  }

  private List<Stranger> strangers(List<Answer> answers, Answer best) {
    Identity newest = best.identity == null ? known.newest() : best.identity;
    List<Stranger> found = new ArrayList<>();
    for (Answer answer : answers) {
      String why =
          answer.url.equals(best.url) || answer.identity == null || newest == null
              ? null
              : answer.identity.whyNot(newest);
      if (why != null) {
        found.add(new Stranger(address(answer.url), why));
      } else if (answer.failure instanceof WrongDatabase wrong) {
        found.add(new Stranger(address(answer.url), wrong.why()));
      }
    }
    return List.copyOf(found);
  }

  /** The primaries beside Ebb's database, as of the last look. */
  List<Stranger> strangers() {
    return strangers;
  }

  /** The newest identity that was seen; {@code null} where the server does not tell. */
  @Nullable Identity identity() {
    return known.newest();
  }

  /** The URL of the one server that has the database now; the first call asks for it. */
  String currentUrl() throws SQLException {
    if (urls.size() == 1) {
      return urls.getFirst();
    }
    discard(connect());
    String url = current;
    return url == null ? urls.getFirst() : url;
  }

  /** Asks every server again, if there are several; ends sessions that were given up. */
  void look() throws SQLException {
    if (urls.size() > 1) {
      discard(chosen(null));
    }
    if (sessions.haveGivenUp()) {
      Connection connection = connect();
      try {
        sessions.end(connection);
      } finally {
        discard(connection);
      }
    }
  }
}
