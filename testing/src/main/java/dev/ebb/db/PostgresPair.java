package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ExecConfig;
import org.testcontainers.containers.GenericContainer;

/**
 * Two real PostgreSQL 18 in one container, the second a standby of the first until it is promoted.
 * Each keeps its port. Needs an engine for containers.
 */
public final class PostgresPair implements AutoCloseable {
  private static final String DATABASE = "ebb";
  private static final String BIN = "PATH=$PATH:/usr/lib/postgresql/18/bin; ";

  private final int port;
  private final GenericContainer<?> container;

  /** Which of the two. */
  public enum Side {
    A("/tmp/a", 0),
    B("/tmp/b", 1);

    private final String folder;
    private final int offset;

    Side(String folder, int offset) {
      this.folder = folder;
      this.offset = offset;
    }

    /** Of the two. */
    public Side other() {
      return this == A ? B : A;
    }

    String folder() {
      return folder;
    }

    int inside() {
      return 5432 + offset;
    }
  }

  private PostgresPair(int port, GenericContainer<?> container) {
    this.port = port;
    this.container = container;
  }

  /** A primary, A, and its standby, B; with an empty database. */
  @SuppressWarnings("resource")
  public static PostgresPair start() {
    int port = TestPostgres.freePort();
    GenericContainer<?> container =
        TestPostgres.container()
            .withCreateContainerCmdModifier(command -> command.withEntrypoint("sleep", "infinity"))
            .withCommand();
    container.setPortBindings(
        List.of("127.0.0.1:" + port + ":5432", "127.0.0.1:" + (port + 1) + ":5433"));
    container.start();
    PostgresPair pair = new PostgresPair(port, container);
    pair.begin(Side.A);
    pair.follow(Side.B, Side.A);
    return pair;
  }

  /** A cluster of its own, with an empty database. */
  private void begin(Side side) {
    run(
        """
        initdb --no-sync -U postgres -A trust -D %1$s >/dev/null
        echo 'host all all all trust
        host replication all all trust' >>%1$s/pg_hba.conf
        echo "listen_addresses = '*'
        unix_socket_directories = '/tmp'
        max_connections = 200
        fsync = off
        wal_retrieve_retry_interval = '100ms'
        wal_keep_size = '256MB'" >>%1$s/postgresql.conf
        """
            .formatted(side.folder()));
    start(side);
    execute(side, "postgres", "create database " + DATABASE);
  }

  private void run(String script) {
    ExecResult result = tried(script);
    if (result.getExitCode() != 0) {
      throw new IllegalStateException(script + result.getStdout() + result.getStderr());
    }
  }

  private ExecResult tried(String script) {
    try {
      return container.execInContainer(
          ExecConfig.builder()
              .user("postgres")
              .command(new String[] {"sh", "-c", "set -e; " + BIN + script})
              .build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts a server as it was left. */
  public void start(Side side) {
    // The processes of one that was killed keep its memory for a moment.
    run(
        """
        for try in $(seq 100); do
          pg_ctl -D %s -o '-p %s' -l %1$s.log -w start >/dev/null 2>&1 && exit 0
          sleep 0.1
        done
        tail -n 20 %1$s.log
        exit 1
        """
            .formatted(side.folder(), side.inside()));
  }

  /** Makes a server anew, as a standby of the other one, which sends it the log. */
  public void follow(Side standby, Side primary) {
    run(
        """
        pg_ctl -D %1$s -m immediate stop >/dev/null 2>&1 || true
        rm -rf %1$s
        mkdir -m 700 %1$s
        printf '%%s\\n' './pg_wal/*' ./postmaster.pid ./standby.signal >/tmp/own
        psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p %3$s -U postgres <<'SQL' >/dev/null
        select pg_backup_start('standby', fast => true);
        \\! tar -C %2$s --exclude-from=/tmp/own -cf - . | tar -C %1$s -xf -
        \\o %1$s/backup_label
        select labelfile from pg_backup_stop(wait_for_archive => false);
        SQL
        echo "primary_conninfo = 'host=127.0.0.1 port=%3$s user=postgres'
        recovery_target_timeline = 'latest'" >>%1$s/postgresql.auto.conf
        touch %1$s/standby.signal
        """
            .formatted(standby.folder(), primary.folder(), primary.inside()));
    start(standby);
  }

  /** Copies a server that runs, and the log that the copy needs, as pg_basebackup does. */
  public void backUp(Side side) {
    run(
        """
        rm -rf /tmp/backup
        psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p %2$s -U postgres <<'SQL' >/dev/null
        select pg_backup_start('backup', fast => true);
        \\! cp -a %1$s /tmp/backup; rm -f /tmp/backup/postmaster.pid
        \\o /tmp/backup/backup_label
        select labelfile from pg_backup_stop(wait_for_archive => false);
        SQL
        cp -a %1$s/pg_wal/0* /tmp/backup/pg_wal/
        """
            .formatted(side.folder(), side.inside()));
  }

  /** Starts the copy in a server's place, as it is. */
  public void restore(Side place) {
    layOut(place);
    start(place);
  }

  /**
   * Starts the copy in a server's place, with what the other server has written to its log until
   * then, on a timeline of its own.
   */
  public void restore(Side place, Side log, Instant until) {
    layOut(place);
    run(
        """
        echo "restore_command = 'cp %2$s/pg_wal/%%f %%p'
        recovery_target_time = '%3$s'
        recovery_target_action = 'promote'" >>%1$s/postgresql.auto.conf
        touch %1$s/recovery.signal
        """
            .formatted(place.folder(), log.folder(), until.toString().replace("Z", "+00")));
    start(place);
    run(
        """
        until psql -qAt -h 127.0.0.1 -p %s -U postgres -c 'select pg_is_in_recovery()' | grep -q f; do
          sleep 0.1
        done
        """
            .formatted(place.inside()));
  }

  private void layOut(Side place) {
    run(
        """
        pg_ctl -D %1$s -m immediate stop >/dev/null 2>&1 || true
        rm -rf %1$s
        cp -a /tmp/backup %1$s
        """
            .formatted(place.folder()));
  }

  /** Makes a server anew, as a cluster of its own that has what a dump of the other one has. */
  public void dump(Side from, Side to) {
    run(
        "pg_ctl -D %1$s -m immediate stop >/dev/null 2>&1 || true; rm -rf %1$s"
            .formatted(to.folder()));
    begin(to);
    if (tried("pg_dump --version | grep -q ' 18'").getExitCode() == 0) {
      run(
          """
          pg_dump -h 127.0.0.1 -p %s -U postgres --schema=ebb %s >/tmp/dump.sql
          psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p %s -U postgres -f /tmp/dump.sql %2$s >/dev/null
          """
              .formatted(from.inside(), DATABASE, to.inside()));
    } else {
      Dump.take(config(from)).restore(config(to), config(to));
    }
  }

  /** Kills the server's first process: the others end by themselves. */
  public void kill(Side side) {
    run(
        """
        pid=$(head -n 1 %1$s/postmaster.pid)
        others=$(grep -lx "PPid:.$pid" /proc/[0-9]*/status 2>/dev/null | cut -d / -f 3)
        kill -9 $pid
        for other in $others; do
          # Nobody here takes note of an end, so that it stays as a zombie.
          while grep -q ') [^Z] ' /proc/$other/stat 2>/dev/null; do sleep 0.02; done
        done
        rm -f %1$s/postmaster.pid /tmp/.s.PGSQL.%2$s*
        """
            .formatted(side.folder(), side.inside()));
  }

  /** Has the standby take writes, on a timeline of its own. */
  public void promote(Side side) {
    run("pg_ctl -D %s promote -w >/dev/null".formatted(side.folder()));
  }

  /** The database on one of them. */
  public DatabaseConfig config(Side side) {
    return at("127.0.0.1:" + (port + side.offset), DATABASE);
  }

  /** The database on whichever takes writes, A named first. */
  public DatabaseConfig both() {
    return at("127.0.0.1:" + port + ",127.0.0.1:" + (port + 1), DATABASE);
  }

  private static DatabaseConfig at(String hosts, String database) {
    return DatabaseConfig.of("jdbc:postgresql://" + hosts + "/" + database, "postgres", "postgres");
  }

  /** Runs a statement on one of them. */
  public void execute(Side side, String database, String sql) {
    try (Connection connection = TestPostgres.connect(at(address(side), database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** The same in the database. */
  public void execute(Side side, String sql) {
    execute(side, DATABASE, sql);
  }

  /** How many rows a table of one of them has, or what else stands behind {@code from}. */
  public long count(Side side, String from) throws SQLException {
    try (Connection connection = TestPostgres.connect(config(side));
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + from)) {
      row.next();
      return row.getLong(1);
    }
  }

  private String address(Side side) {
    return "127.0.0.1:" + (port + side.offset);
  }

  @Override
  public void close() {
    container.stop();
  }
}
