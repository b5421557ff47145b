package dev.ebb.db;

import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
    pair.run(
        """
        initdb --no-sync -U postgres -A trust -D /tmp/a >/dev/null
        echo 'host all all all trust
        host replication all all trust' >>/tmp/a/pg_hba.conf
        echo "listen_addresses = '*'
        unix_socket_directories = '/tmp'
        max_connections = 200
        fsync = off
        wal_keep_size = '256MB'" >>/tmp/a/postgresql.conf
        """);
    pair.start(Side.A);
    pair.execute(Side.A, "postgres", "create database " + DATABASE);
    pair.follow(Side.B, Side.A);
    return pair;
  }

  private void run(String script) {
    try {
      ExecResult result =
          container.execInContainer(
              ExecConfig.builder()
                  .user("postgres")
                  .command(new String[] {"sh", "-c", "set -e; " + BIN + script})
                  .build());
      if (result.getExitCode() != 0) {
        throw new IllegalStateException(script + result.getStdout() + result.getStderr());
      }
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

  /** Makes a server anew, as a standby of the other one. */
  public void follow(Side standby, Side primary) {
    run(
        """
        pg_ctl -D %1$s -m immediate stop >/dev/null 2>&1 || true
        rm -rf %1$s
        psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p %3$s -U postgres <<'SQL' >/dev/null
        select pg_backup_start('standby', fast => true);
        \\! cp -a %2$s %1$s && rm -f %1$s/postmaster.pid %1$s/standby.signal
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

  private String address(Side side) {
    return "127.0.0.1:" + (port + side.offset);
  }

  @Override
  public void close() {
    container.stop();
  }
}
