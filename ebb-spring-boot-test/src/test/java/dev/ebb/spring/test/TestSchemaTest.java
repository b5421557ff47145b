package dev.ebb.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.client.EbbJdbc;
import dev.ebb.client.EbbJsons;
import dev.ebb.client.JobKind;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.spring.EbbAutoConfiguration;
import dev.ebb.spring.EbbHandlers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Which databases the kit makes its schema in, and which it leaves alone. */
class TestSchemaTest {
  private static final String FOLDER = "dev/ebb/spring/test/schema/";

  /** Fails the statement that makes this table. */
  private static final String HURDLE =
      """
      create function hurdle() returns event_trigger language plpgsql as $$ begin
        if exists (
          select from pg_event_trigger_ddl_commands() where object_identity = 'ebb.history'
        ) then
          raise exception 'no room for ebb.history';
        end if;
      end $$;
      create event trigger hurdle on ddl_command_end execute function hurdle()
      """;

  private static PGSimpleDataSource source(DatabaseConfig of) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(of.url());
    source.setUser(of.user());
    source.setPassword(of.password());
    return source;
  }

  private static PGSimpleDataSource bare() {
    return source(TestPostgres.shared().newBareDatabase());
  }

  /** No node has been there: it may be stopped, or the database a copy. */
  @Test
  void jobs_of_a_schema_that_was_migrated_are_neither_run_nor_deleted() throws SQLException {
    DataSource real = source(TestPostgres.shared().newDatabase());
    UUID job = EbbJdbc.create().submit(real, JobKind.json("paid").job("{}")).id();
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(EbbAutoConfiguration.class)) {
      EbbJobs jobs = new EbbJobs(real, context.getBean(EbbHandlers.class), EbbJsons.ofClassPath());

      assertThatThrownBy(() -> new TestSchema(real).make()).hasMessageContaining("may be real");
      assertThatThrownBy(jobs::clear).hasMessageContaining("may be real");
      assertThatThrownBy(() -> jobs.performOne(job)).hasMessageContaining("may be real");
      assertThatThrownBy(() -> jobs.drain("default")).hasMessageContaining("may be real");
    }

    assertThat(new JdbcTemplate(real).queryForList("select id from ebb.job", UUID.class))
        .containsExactly(job);
  }

  @Test
  void a_schema_of_another_version_is_refused_with_what_to_do() {
    DataSource source = bare();
    new TestSchema(source).make();
    new JdbcTemplate(source).execute("comment on schema ebb is '" + Scripts.MAKER + ", 0'");

    assertThatThrownBy(() -> new TestSchema(source).make())
        .hasMessageContaining("drop schema ebb cascade");
  }

  @Test
  void a_schema_that_could_not_be_made_whole_is_not_there() {
    DataSource source = bare();
    JdbcTemplate database = new JdbcTemplate(source);
    database.execute(HURDLE);

    assertThatThrownBy(() -> new TestSchema(source).make()).hasMessageContaining("no room");
    database.execute("drop event trigger hurdle");
    new TestSchema(source).make();
    new TestSchema(source).requireOwn();
  }

  @Test
  void a_connection_keeps_the_schema_that_its_pool_gave_it() {
    DatabaseConfig bare = TestPostgres.shared().newBareDatabase();
    new JdbcTemplate(source(bare)).execute("create schema shop");
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(bare.url());
      pool.setUsername(bare.user());
      pool.setPassword(bare.password());
      pool.setSchema("shop");
      pool.setMaximumPoolSize(1);

      new TestSchema(pool).make();

      assertThat(new JdbcTemplate(pool).queryForObject("select current_schema()", String.class))
          .isEqualTo("shop");
    }
  }

  @Test
  void another_database_is_refused_by_its_name() {
    DataSource other =
        new AbstractDataSource() {
          @Override
          public Connection getConnection() {
            return answers(Connection.class, answers(DatabaseMetaData.class, "H2"));
          }

          @Override
          public Connection getConnection(String user, String password) {
            return getConnection();
          }
        };

    assertThatThrownBy(() -> new TestSchema(other).make())
        .hasMessageContaining("the database of this test is H2");
  }

  private static <T> T answers(Class<T> type, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> method.getReturnType().isInstance(answer) ? answer : null));
  }

  @Test
  void the_migrations_are_read_from_a_jar_and_one_without_is_refused(@TempDir Path folder)
      throws Exception {
    Path whole = folder.resolve("whole.jar");
    Path empty = folder.resolve("empty.jar");
    jar(whole, true);
    jar(empty, false);

    try (URLClassLoader jar = loader(whole);
        URLClassLoader without = loader(empty)) {
      Scripts own = new Scripts(TestSchema.class.getClassLoader());
      assertThat(new Scripts(jar).migrations(15_00_00)).isEqualTo(own.migrations(15_00_00));
      assertThatThrownBy(() -> new Scripts(without)).hasMessageContaining("lacks its migrations");
    }
  }

  private static URLClassLoader loader(Path jar) throws IOException {
    return new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
  }

  /** With entries for folders, as Maven makes them. */
  private static void jar(Path file, boolean withScripts) throws Exception {
    URL found = TestSchema.class.getClassLoader().getResource(FOLDER);
    Path from = Path.of(Objects.requireNonNull(found).toURI());
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
        var paths = Files.walk(from)) {
      for (Path path : withScripts ? paths.sorted().toList() : List.of(from)) {
        boolean isFolder = Files.isDirectory(path);
        String name = from.relativize(path).toString();
        jar.putNextEntry(new JarEntry(FOLDER + name + (isFolder && !name.isEmpty() ? "/" : "")));
        if (!isFolder) {
          Files.copy(path, jar);
        }
      }
    }
  }
}
