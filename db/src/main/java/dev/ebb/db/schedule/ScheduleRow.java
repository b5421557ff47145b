package dev.ebb.db.schedule;

import dev.ebb.core.schedule.Cron;
import dev.ebb.core.schedule.Exclusions;
import dev.ebb.core.schedule.Misfires;
import dev.ebb.core.schedule.Overlap;
import dev.ebb.core.schedule.Schedule;
import dev.ebb.core.schedule.Timing;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.json.TemplateJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A schedule's settings as the columns of its row. */
final class ScheduleRow {
  /** What {@link #schedule} needs of the row {@code s}. */
  static final String SETTINGS =
      """
      s.name, s.cron, s.every_seconds, s.zone, s.start_at, s.end_at,
      s.excluded_weekdays, s.excluded_dates, s.excluded_yearly,
      s.job, s.misfire, s.most_misfires, s.overlap\
      """;

  /** The columns that {@link #bind} gives, and the places of their values. */
  static final String BOUND =
      """
      cron, every_seconds, zone, start_at, end_at,
      excluded_weekdays, excluded_dates, excluded_yearly,
      job, misfire, most_misfires, overlap\
      """;

  static final String PLACES =
      """
      ?, ?, ?, ?, ?,
      ?, ?, ?,
      ?::jsonb, ?, ?, ?\
      """;

  private ScheduleRow() {}

  static Parameters bind(Parameters parameters, Schedule schedule) throws SQLException {
    Exclusions exclusions = schedule.exclusions();
    return timing(parameters, schedule.timing())
        .text(schedule.zone().getId())
        .time(schedule.startAt())
        .time(schedule.endAt())
        .texts(texts(exclusions.weekdays(), day -> day.name().toLowerCase(Locale.ROOT)))
        .texts(texts(exclusions.dates(), LocalDate::toString))
        .texts(texts(exclusions.yearly(), MonthDay::toString))
        .text(TemplateJson.write(schedule.template()))
        .text(schedule.misfires().rule().word())
        .integer(schedule.misfires().most())
        .text(schedule.overlap().word());
  }

  private static Parameters timing(Parameters parameters, Timing timing) throws SQLException {
    return switch (timing) {
      case Timing.ByCron(Cron cron) -> parameters.text(cron.text()).integer(null);
      case Timing.Every(Duration interval) ->
          parameters.text(null).integer((int) interval.toSeconds());
    };
  }

  /**
   * The schedule of a row.
   *
   * @throws RuntimeException if this version does not know what stands there
   */
  static Schedule schedule(ResultSet row) throws SQLException {
    return new Schedule(
        row.getString("name"),
        timing(row),
        ZoneId.of(row.getString("zone")),
        Rows.instantOrNull(row, "start_at"),
        Rows.instantOrNull(row, "end_at"),
        exclusions(row),
        TemplateJson.read(row.getString("job")),
        new Misfires(Misfires.Rule.valueOf(constant(row, "misfire")), row.getInt("most_misfires")),
        Overlap.valueOf(constant(row, "overlap")));
  }

  private static Timing timing(ResultSet row) throws SQLException {
    String cron = row.getString("cron");
    return cron == null
        ? new Timing.Every(Duration.ofSeconds(row.getInt("every_seconds")))
        : new Timing.ByCron(Cron.parse(cron));
  }

  private static Exclusions exclusions(ResultSet row) throws SQLException {
    return new Exclusions(
        set(row, "excluded_weekdays", day -> DayOfWeek.valueOf(day.toUpperCase(Locale.ROOT))),
        set(row, "excluded_dates", LocalDate::parse),
        set(row, "excluded_yearly", MonthDay::parse));
  }

  private static String constant(ResultSet row, String column) throws SQLException {
    return row.getString(column).toUpperCase(Locale.ROOT);
  }

  private static <T> List<String> texts(Collection<T> values, Function<T, String> text) {
    return values.stream().map(text).toList();
  }

  private static <T extends Comparable<? super T>> SortedSet<T> set(
      ResultSet row, String column, Function<String, T> value) throws SQLException {
    SortedSet<T> values = new TreeSet<>();
    for (@Nullable String text : (String[]) row.getArray(column).getArray()) {
      if (text != null) {
        values.add(value.apply(text));
      }
    }
    return values;
  }
}
