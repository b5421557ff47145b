package dev.ebb.db;

import dev.ebb.db.schema.Migrations;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Which PostgreSQL a server of tests is: the newest, unless {@code -Debb.postgres} says otherwise.
 *
 * @param binaries {@code null} for those on the class path
 */
record PostgresVersion(int major, @Nullable PgBinaryResolver binaries) {
  private static final int NEWEST = 18;

  /** That of every test which does not choose. */
  static final PostgresVersion TESTED =
      new PostgresVersion(Integer.getInteger("ebb.postgres", NEWEST), null);

  /** The oldest that can run Ebb, whose binaries lie where {@code -Debb.postgres.oldest} says. */
  static final PostgresVersion OLDEST =
      new PostgresVersion(Migrations.OLDEST_SERVER, (_, _) -> oldestBinaries());

  /**
   * What PostgreSQL 18 has built in, for the rows that tests write; Ebb's own lies in its schema.
   */
  private static final String IDS =
      """
      create function public.uuidv7(shift interval) returns uuid
      language sql volatile
      return (
        select encode(
          substring(int8send(t.micros / 1000) from 3)
            || int2send((28672 + t.micros % 1000 * 4096 / 1000)::smallint)
            || substring(uuid_send(gen_random_uuid()) from 9),
          'hex')::uuid
        from (
          select (extract(epoch from clock_timestamp() + shift) * 1000000)::bigint as micros
        ) t);
      create function public.uuidv7() returns uuid language sql volatile
      return public.uuidv7(interval '0')
      """;

  private static InputStream oldestBinaries() throws IOException {
    ZipFile jar = new ZipFile(System.getProperty("ebb.postgres.oldest"));
    String packed =
        jar.stream()
            .map(Object::toString)
            .filter(name -> name.endsWith(".txz"))
            .findFirst()
            .orElseThrow();
    return new FilterInputStream(jar.getInputStream(jar.getEntry(packed))) {
      @Override
      public void close() throws IOException {
        jar.close();
      }
    };
  }

  /** Whether it may be a container: other images than the newest are nobody's to have. */
  boolean isNewest() {
    return major == NEWEST;
  }

  boolean knows(String setting) {
    return major >= 16 || !setting.startsWith("scram_iterations=");
  }

  /** Gives every later database of the server what tests call. */
  void equip(TestPostgres postgres) {
    if (major < NEWEST) {
      postgres.execute(postgres.config("template1"), IDS);
    }
  }
}
