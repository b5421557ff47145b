package dev.ebb.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.schedule.Cron;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.TimeZone;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronExpression;

/** Quartz's own reading of its syntax, where no clock is set forward or back. */
class QuartzAgreesTest {
  private static final LocalDateTime BEGIN = LocalDateTime.parse("2024-01-01T00:00:00");

  /** Quartz knows no later years, in some expressions. */
  private static final LocalDateTime END = LocalDateTime.parse("2097-01-01T00:00:00");

  private static final int FIRES = 300;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 9 ? * MON-FRI",
        "0 0 9 ? * 2-6",
        "*/7 * * * * ?",
        "0 */15 * * * ?",
        "0 5/20 * * * ?",
        "0 0 12 1/5 * ?",
        "0 15 10 L * ?",
        "0 15 10 L-3 * ?",
        "0 15 10 LW * ?",
        "0 15 10 15W * ?",
        "0 15 10 1W * ?",
        "0 15 10 ? * 6L",
        "0 15 10 ? * FRIL",
        "0 15 10 ? * 6#3",
        "0 15 10 ? * 2#5",
        "0 0 0 29 2 ?",
        "0 0 0 1,15 JAN,JUL ?",
        "30 0-5 14 * * ?",
        "0 0 22-2 * * ?",
        "0 0 8 ? * SAT-MON",
        "0 0 0 1 1 ? 2030-2060",
        "0 0 0 1 1 ? 2025/3"
      })
  void a_quartz_expression_names_the_times_that_quartz_reads(String text) throws Exception {
    Cron ours = Cron.parse(text);
    CronExpression theirs = new CronExpression(text);
    theirs.setTimeZone(TimeZone.getTimeZone("UTC"));
    LocalDateTime time = BEGIN;
    for (int i = 0; i < FIRES && time != null && time.isBefore(END); i++) {
      Date expected = theirs.getTimeAfter(Date.from(time.toInstant(ZoneOffset.UTC)));
      LocalDateTime next = ours.next(time);

      assertThat(next == null ? null : next.toInstant(ZoneOffset.UTC))
          .as("after %s", time)
          .isEqualTo(expected == null ? null : expected.toInstant());
      time = next;
    }
  }
}
