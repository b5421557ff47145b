package dev.ebb.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dump of Ebb's schema, in a folder: by this machine's pg_dump where that is as new as the
 * server, and otherwise {@linkplain TableCopy by its rows}.
 */
public final class Dump {
  private static final Logger LOG = LoggerFactory.getLogger(Dump.class);
  private static final Pattern VERSION = Pattern.compile("\\) (\\d+)");

  private final Path folder;
  private final boolean hasTools;

  private Dump(Path folder, boolean hasTools) {
    this.folder = folder;
    this.hasTools = hasTools;
  }

  /** Takes one, as a superuser. */
  public static Dump take(DatabaseConfig from) {
    try {
      Path folder = Files.createTempDirectory("ebb-dump");
      boolean hasTools = hasToolsFor(from);
      if (hasTools) {
        run(from, "pg_dump", "--format=directory", "--schema=ebb", "--file=" + folder);
      } else {
        LOG.warn("no pg_dump here is as new as the server: rows are copied");
        TableCopy.take(from, folder);
      }
      return new Dump(folder, hasTools);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Restores it into an empty database.
   *
   * @param to as a superuser
   * @param owner of the schema
   */
  public void restore(DatabaseConfig to, DatabaseConfig owner) {
    if (hasTools) {
      run(to, "pg_restore", "--exit-on-error", "--jobs=2", folder.toString());
    } else {
      Migrations.migrate(owner);
      TableCopy.put(folder, to);
    }
  }

  private static boolean hasToolsFor(DatabaseConfig server) throws IOException, SQLException {
    try (Connection connection = TestPostgres.connect(server)) {
      Process asked = new ProcessBuilder("pg_dump", "--version").start();
      Matcher version = VERSION.matcher(new String(asked.getInputStream().readAllBytes(), UTF_8));
      return version.find()
          && Integer.parseInt(version.group(1))
              >= connection.getMetaData().getDatabaseMajorVersion();
    } catch (IOException none) {
      return false;
    }
  }

  private static void run(DatabaseConfig database, String... command) {
    URI at = URI.create(database.url().replaceFirst("^jdbc:", ""));
    List<String> all = new ArrayList<>(List.of(command));
    all.add(1, "--dbname=" + at.getPath().substring(1));
    all.addAll(2, List.of("--host=" + at.getHost(), "--port=" + at.getPort()));
    all.add(4, "--username=" + database.user());
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().put("PGPASSWORD", String.valueOf(database.password()));
    try {
      Process process = builder.start();
      String told = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", all) + "\n" + told);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
