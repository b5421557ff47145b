package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.sql.Connection;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.impl.calendar.BaseCalendar;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.impl.jdbcjobstore.StdJDBCDelegate;
import org.quartz.simpl.CascadingClassLoadHelper;
import org.slf4j.LoggerFactory;

/** Bytes of the database are never read as Java objects, whoever wrote them. */
class TextDelegateTest {
  private static final AtomicInteger READ = new AtomicInteger();

  private final CronBench cron = new CronBench();

  /** What does something as it is read. */
  static final class Bomb extends BaseCalendar {
    @Serial private static final long serialVersionUID = 1;

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      READ.incrementAndGet();
    }
  }

  @BeforeEach
  void plant() throws Exception {
    READ.set(0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Bomb());
    }
    cron.bench.execute(
        "insert into ebb.qrtz_calendars values ('ebb', 'bomb', '\\x%s')"
            .formatted(HexFormat.of().formatHex(bytes.toByteArray())));
  }

  @AfterEach
  void close() throws Exception {
    cron.close();
  }

  private static StdJDBCDelegate ready(StdJDBCDelegate delegate) throws Exception {
    CascadingClassLoadHelper loader = new CascadingClassLoadHelper();
    loader.initialize();
    delegate.initialize(
        LoggerFactory.getLogger(TextDelegateTest.class),
        "ebb.qrtz_",
        QuartzNode.CLUSTER,
        "n",
        loader,
        true,
        null);
    return delegate;
  }

  @Test
  void a_calendar_is_not_read() throws Exception {
    StdJDBCDelegate delegate = ready(new TextDelegate());
    try (Connection connection = cron.bench.database.connection()) {
      assertThatThrownBy(() -> delegate.selectCalendar(connection, "bomb"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no Java objects");
    }
    assertThat(READ.get()).isZero();
  }

  @Test
  void control_quartz_would_read_it() throws Exception {
    StdJDBCDelegate delegate = ready(new PostgreSQLDelegate());
    try (Connection connection = cron.bench.database.connection()) {
      assertThat(delegate.selectCalendar(connection, "bomb")).isInstanceOf(Bomb.class);
    }
    assertThat(READ.get()).isOne();
  }

  @Test
  void a_node_reads_no_calendar_that_a_trigger_names_and_fires_all_the_same() throws Exception {
    cron.put(CronBench.every("soon", Duration.ofSeconds(3)));
    cron.node("a");
    cron.await("exists (select from ebb.qrtz_triggers)");

    while (!cron.is("count(*) >= 3 from ebb.schedule_fire")) {
      cron.bench.execute("update ebb.qrtz_triggers set calendar_name = 'bomb'");
    }

    assertThat(READ.get()).isZero();
  }
}
