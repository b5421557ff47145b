package dev.ebb.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ebb.core.InvalidInput;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CronTest {
  private static List<LocalDateTime> next(String cron, String after, int count) {
    Cron parsed = Cron.parse(cron);
    List<LocalDateTime> times = new ArrayList<>();
    LocalDateTime time = parsed.next(LocalDateTime.parse(after));
    while (time != null && times.size() < count) {
      times.add(time);
      time = parsed.next(time);
    }
    return times;
  }

  private static String listed(List<LocalDateTime> times) {
    return String.join(" ", times.stream().map(LocalDateTime::toString).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * *            | 2027-01-31T23:58:30 | 2027-01-31T23:59 2027-02-01T00:00
          0 9 * * 1-5          | 2027-01-01T09:00    | 2027-01-04T09:00 2027-01-05T09:00
          0 9 * * MON-FRI      | 2027-01-01T09:00    | 2027-01-04T09:00 2027-01-05T09:00
          0 9 * jan,Jul sun    | 2027-01-30T00:00    | 2027-01-31T09:00 2027-07-04T09:00
          0 0 * * 7            | 2027-01-01T00:00    | 2027-01-03T00:00 2027-01-10T00:00
          0 0 * * 5-7          | 2027-01-01T00:00    | 2027-01-02T00:00 2027-01-03T00:00
          0 0 * * fri-sun      | 2027-01-01T00:00    | 2027-01-02T00:00 2027-01-03T00:00
          0 0 * * */2          | 2027-01-01T00:00    | 2027-01-02T00:00 2027-01-03T00:00
          10-30/10,5 8 * * *   | 2027-01-01T08:05    | 2027-01-01T08:10 2027-01-01T08:20
          0 0 31 * *           | 2027-01-31T00:00    | 2027-03-31T00:00 2027-05-31T00:00
          0 0 29 2 *           | 2096-02-29T00:00    | 2104-02-29T00:00 2108-02-29T00:00
          0 0 13 * 5           | 2027-08-07T00:00    | 2027-08-13T00:00 2027-08-20T00:00
          0 0 10,20 * 5        | 2027-08-07T00:00    | 2027-08-10T00:00 2027-08-13T00:00
          0 0 */2 * 1          | 2027-08-01T00:00    | 2027-08-09T00:00 2027-08-23T00:00
          0 0 1-31 * 1         | 2027-08-01T00:00    | 2027-08-02T00:00 2027-08-03T00:00
          0 0 1-7 * */2        | 2027-08-01T00:00    | 2027-08-03T00:00 2027-08-05T00:00
          @hourly              | 2027-01-01T00:00:00 | 2027-01-01T01:00 2027-01-01T02:00
          @daily               | 2027-01-01T00:00:00 | 2027-01-02T00:00 2027-01-03T00:00
          @midnight            | 2027-01-01T00:00:00 | 2027-01-02T00:00 2027-01-03T00:00
          @weekly              | 2027-01-01T00:00:00 | 2027-01-03T00:00 2027-01-10T00:00
          @monthly             | 2027-01-01T00:00:00 | 2027-02-01T00:00 2027-03-01T00:00
          @yearly              | 2027-01-01T00:00:00 | 2028-01-01T00:00 2029-01-01T00:00
          @annually            | 2027-01-01T00:00:00 | 2028-01-01T00:00 2029-01-01T00:00
          """)
  void unix_has_five_fields_or_a_macro(String cron, String after, String times) {
    assertThat(listed(next(cron, after, 2))).isEqualTo(times);
    assertThat(Cron.parse(cron).syntax()).isEqualTo(CronSyntax.UNIX);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * * ?             | 2027-01-31T23:59:58 | 2027-01-31T23:59:59 2027-02-01T00:00
          5/20 30 9 * * ?         | 2027-01-01T00:00    | 2027-01-01T09:30:05 2027-01-01T09:30:25
          0 0 9 ? * 2-6           | 2027-01-01T09:00    | 2027-01-04T09:00 2027-01-05T09:00
          0 0 9 ? * FRI-MON       | 2027-01-02T09:00    | 2027-01-03T09:00 2027-01-04T09:00
          0 0 22-1 * * ?          | 2027-01-01T00:30    | 2027-01-01T01:00 2027-01-01T22:00
          0 0 22-2/2 * * ?        | 2027-01-01T00:30    | 2027-01-01T02:00 2027-01-01T22:00
          0 0 0 ? NOV-FEB 1       | 2027-02-27T00:00    | 2027-02-28T00:00 2027-11-07T00:00
          0 0 0 30-2 * ?          | 2027-02-02T00:00    | 2027-03-01T00:00 2027-03-02T00:00
          0 0 0 L * ?             | 2028-01-31T00:00    | 2028-02-29T00:00 2028-03-31T00:00
          0 0 0 L-3 * ?           | 2028-01-31T00:00    | 2028-02-26T00:00 2028-03-28T00:00
          0 0 0 L-29 2,3 ?        | 2028-01-31T00:00    | 2028-03-02T00:00 2029-03-02T00:00
          0 0 0 LW * ?            | 2027-01-01T00:00    | 2027-01-29T00:00 2027-02-26T00:00
          0 0 0 L-1W * ?          | 2027-01-01T00:00    | 2027-01-29T00:00 2027-02-26T00:00
          0 0 0 15W * ?           | 2027-05-01T00:00    | 2027-05-14T00:00 2027-06-15T00:00
          0 0 0 1W * ?            | 2027-04-30T00:00    | 2027-05-03T00:00 2027-06-01T00:00
          0 0 0 31W * ?           | 2027-01-01T00:00    | 2027-01-29T00:00 2027-03-31T00:00
          0 0 0 10,lw,l * ?       | 2027-01-10T00:00    | 2027-01-29T00:00 2027-01-31T00:00
          0 0 0 ? * L             | 2027-01-01T00:00    | 2027-01-02T00:00 2027-01-09T00:00
          0 0 0 ? * 6L            | 2027-01-01T00:00    | 2027-01-29T00:00 2027-02-26T00:00
          0 0 0 ? * friL,MON      | 2027-01-19T00:00    | 2027-01-25T00:00 2027-01-29T00:00
          0 0 0 ? * 6#3           | 2027-01-01T00:00    | 2027-01-15T00:00 2027-02-19T00:00
          0 0 0 ? * Fri#5         | 2027-01-01T00:00    | 2027-01-29T00:00 2027-04-30T00:00
          0 0 0 ? * 2#1,2#3       | 2027-01-05T00:00    | 2027-01-18T00:00 2027-02-01T00:00
          0 0 0 1 1 ? 2030/20     | 2027-01-01T00:00    | 2030-01-01T00:00 2050-01-01T00:00
          0 0 0 1 1 ? *           | 2099-06-01T00:00    | 2100-01-01T00:00 2101-01-01T00:00
          0 0 0 1 1 ? 2090        | 2027-01-01T00:00    | 2090-01-01T00:00
          0 0 0 1 1 ? 2027-2028   | 2027-01-01T00:00    | 2028-01-01T00:00
          0 0 0 1 1 ? 2027        | 2027-01-01T00:00    | ''
          """)
  void quartz_has_six_or_seven_fields(String cron, String after, String times) {
    assertThat(listed(next(cron, after, 2))).isEqualTo(times);
    assertThat(Cron.parse(cron).syntax()).isEqualTo(CronSyntax.QUARTZ);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 32 * *     | has 32 as day of month; it must be 1 to 31
          60 * * * *     | has 60 as minute; it must be 0 to 59
          * 24 * * *     | has 24 as hour; it must be 0 to 23
          * * * 13 *     | has 13 as month; it must be 1 to 12, or JAN to DEC
          * * 0 * *      | has 0 as day of month; it must be 1 to 31
          * * * JANUARY *| has JANUARY as month; it must be 1 to 12, or JAN to DEC
          * * * * 8      | has 8 as day of week; it must be 0 to 7, where 0 and 7 are Sunday, or SUN to SAT
          0 0 0 ? * 0    | has 0 as day of week; in six or seven fields it must be 1 to 7, where 1 is Sunday, or SUN to SAT
          0 0 0 ? * 8L   | has 8L as day of week; in six or seven fields it must be 1 to 7, where 1 is Sunday, or SUN to SAT
          60 0 0 1 * ?   | has 60 as second; it must be 0 to 59
          0 0 0 1 1 ? 1969 | has 1969 as year; it must be 1970 to 2099
          1,,2 * * * *   | has nothing between commas as minute; it must be 0 to 59
          99999999999 * * * * | has 99999999999 as minute; it must be 0 to 59
          -5 * * * *     | has -5 as minute; it must be 0 to 59
          1-2-3 * * * *  | has 1-2-3 as minute; it must be 0 to 59
          */0 * * * *    | has */0 as minute; its step must be 1 to 59
          * */24 * * *   | has */24 as hour; its step must be 1 to 23
          */99999999999 * * * * | has */99999999999 as minute; its step must be 1 to 59
          5/15 * * * *   | has 5/15 as minute; in five fields a step must follow * or a range
          * 17-9 * * *   | has 17-9 as hour; a range must go from the lower to the higher
          0 0 0 1 1 ? 2030-2027 | has 2030-2027 as year; a range must go from the lower to the higher
          0 9 ? * 1      | has ? as day of month; ? is for Quartz's six or seven fields: write * for it, or put the second first
          0 0 L * *      | has L as day of month; L, W and # are for Quartz's six or seven fields: put the second first, and ? as the other of the two days
          0 0 * * 5#3    | has 5#3 as day of week; L, W and # are for Quartz's six or seven fields: put the second first, and ? as the other of the two days
          0 0 ? 1 * ?    | has ? as hour; ? must stand alone, for one of the two days
          0 0 0 ?,1 * *  | has ?,1 as day of month; ? must stand alone, for one of the two days
          0 0 9 ? * ?    | has ? as day of month and as day of week; it must be one of them
          0 0 9 * * *    | has six fields but no ?; in Quartz's syntax, whose first field is the second and where 1 is Sunday, day of month or day of week must be ?; in Unix's syntax there are five fields, without seconds and years
          0 0 9 * * 1-5 2027 | has seven fields but no ?; in Quartz's syntax, whose first field is the second and where 1 is Sunday, day of month or day of week must be ?; in Unix's syntax there are five fields, without seconds and years
          0 0 0 L-0 * ?  | has L-0 as day of month; L- must be followed by 1 to 30
          0 0 0 L-31 * ? | has L-31 as day of month; L- must be followed by 1 to 30
          0 0 0 32W * ?  | has 32W as day of month; W must follow 1 to 31
          0 0 0 W * ?    | has W as day of month; it must be 1 to 31
          0 0 0 ? * 6#6  | has 6#6 as day of week; # must be followed by 1 to 5
          0 0 30 2 *     | must name a date that exists: none of its months has one of its days
          0 0 31 2,4,6,9,11 * | must name a date that exists: none of its months has one of its days
          0 0 0 29 2 ? 2027 | must name a date that exists: none of its months has one of its days
          0 0 0 L-30 2 ? | must name a date that exists: none of its months has one of its days
          0 0 0 ? 2 2#5 2027 | must name a date that exists: none of its months has one of its days
          @dialy         | has @dialy; a macro must be one of @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly. Did you mean @daily?
          @daily 5       | has @daily 5; a macro must be one of @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly. Did you mean @daily?
          @reboot        | has @reboot; a macro must be one of @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly.
          """)
  void an_error_names_the_field_what_was_read_and_the_rule(String cron, String rule) {
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> Cron.parse(cron))
        .satisfies(broken -> assertThat(broken.rule()).isEqualTo(rule))
        .satisfies(broken -> assertThat(broken.field()).isEqualTo("cron"));
  }

  @ParameterizedTest
  @CsvSource({
    "'',no fields",
    "' ',no fields",
    "*,one field",
    "* * * *,four fields",
    "1 2 3 4 5 6 7 8,eight fields",
    "1 2 3 4 5 6 7 8 9 10 11,11 fields"
  })
  void a_wrong_number_of_fields_is_counted(String cron, String count) {
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> Cron.parse(cron))
        .satisfies(broken ->
            assertThat(broken.rule())
                .isEqualTo(
                    "has "
                        + count
                        + "; it must have five (Unix: minute, hour, day of month, month, day of"
                        + " week), or six or seven (Quartz: second, minute, hour, day of month,"
                        + " month, day of week and, if wanted, year)"));
  }

  @Test
  void a_text_ends_at_200_characters_and_an_error_repeats_little_of_it() {
    assertThat(Cron.parse("0,".repeat(95) + "0 * * * *").words()).isEqualTo("Every hour");
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> Cron.parse("0,".repeat(97) + "0 * * * *"))
        .withMessage("cron must be at most 200 characters");
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> Cron.parse("\u001b" + "x".repeat(150) + " * * * *"))
        .withMessage("cron has \ufffd" + "x".repeat(39) + "… as minute; it must be 0 to 59");
  }

  @Test
  void its_text_is_as_its_author_wrote_it_but_for_spaces() {
    Cron cron = Cron.parse("  0  9\t* *  mon-FRI ");
    assertThat(cron.text()).isEqualTo("0 9 * * mon-FRI").isEqualTo(cron.toString());
    assertThat(cron)
        .isEqualTo(Cron.parse("0 9 * * mon-FRI"))
        .hasSameHashCodeAs(Cron.parse("0 9 * * mon-FRI"))
        .isNotEqualTo(Cron.parse("0 9 * * 1-5"));
  }

  @Test
  void the_rarest_dates_are_found_forty_years_ahead_and_no_search_goes_further() {
    for (int weekday = 1; weekday <= 7; weekday++) {
      Cron cron = Cron.parse("0 0 0 ? 2 " + weekday + "#5");
      LocalDateTime time = cron.next(LocalDateTime.parse("2070-03-01T00:00"));
      for (LocalDate date = LocalDate.of(2070, 3, 1); date.getYear() < 2140; ) {
        date = date.plusDays(1);
        if (isFifth(date, weekday)) {
          assertThat(time).isEqualTo(date.atStartOfDay());
          time = cron.next(date.atStartOfDay());
        }
      }
    }
  }

  /** Only 29 February can be the fifth of its weekday. */
  private static boolean isFifth(LocalDate date, int weekday) {
    return date.getMonthValue() == 2
        && date.getDayOfMonth() == 29
        && date.getDayOfWeek().getValue() % 7 + 1 == weekday;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 6, 14, 15, 28, 29, 30, 31})
  void the_nearest_weekday_stays_in_its_month(int day) {
    Cron cron = Cron.parse("0 0 0 " + day + "W * ?");
    LocalDateTime time = cron.next(LocalDateTime.parse("2026-12-31T00:00"));
    for (YearMonth month = YearMonth.of(2027, 1); month.getYear() < 2030; ) {
      if (day <= month.lengthOfMonth()) {
        assertThat(time).isEqualTo(Naive.nearestWeekday(month, day).atStartOfDay());
        time = cron.next(Naive.nearestWeekday(month, day).atStartOfDay());
      }
      month = month.plusMonths(1);
    }
  }
}
