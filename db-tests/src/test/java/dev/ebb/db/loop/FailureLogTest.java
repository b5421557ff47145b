package dev.ebb.db.loop;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("listens to a logger")
class FailureLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FailureLog log = new FailureLog(meters);

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void a_failure_of_another_kind_is_told_at_once_and_no_kind_twice() {
    for (int i = 0; i < 10; i++) {
      log.failed("part", "", new SQLException("gone", "08006"));
      log.failed("part", "", new SQLException("starting", "57P03"));
      log.failed("part", "", new IllegalStateException("Quartz"));
    }
    log.recovered("part", "");
    log.failed("part", "", new SQLException("gone", "08006"));

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "part: no connection (08006), trying again: gone",
            "part: the server is starting or stopping (57P03), trying again after 1 failed tries:"
                + " starting",
            "part: failed, trying again after 2 failed tries",
            "part: back after 30 failed tries",
            "part: no connection (08006), trying again: gone");
    assertThat(meters.counter("ebb.failures", "part", "part").count()).isEqualTo(31);
  }

  @Test
  void failures_that_are_always_of_another_kind_do_not_flood_the_log() {
    for (int i = 10_000; i < 11_000; i++) {
      log.failed("part", "", new SQLException("odd", String.valueOf(i)));
    }

    assertThat(lines.list).hasSize(5);
  }
}
