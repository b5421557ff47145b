package dev.ebb.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CronWordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 9 * * 1-5             | At 09:00 on Monday to Friday
          0 0 9 ? * 2-6           | At 09:00 on Monday to Friday
          0 0 9 ? * FRI-MON       | At 09:00 on Monday and Friday to Sunday
          0 9 * * *               | At 09:00 every day
          0 9,17 * * *            | At 09:00 and 17:00 every day
          0,30 8,12 * * 6,0       | At 08:00, 08:30, 12:00 and 12:30 on Saturday and Sunday
          0 6-8,20,22,23 * * *    | At 06:00, 07:00, 08:00, 20:00, 22:00 and 23:00 every day
          5 1,2,3,7,8,9,23 * * *  | At 01:05, 02:05, 03:05, 07:05, 08:05, 09:05 and 23:05 every day
          0 0 22-1 * * ?          | At 00:00, 01:00, 22:00 and 23:00 every day
          15 30 9 * * ?           | At 09:30:15 every day
          0,15 30 9 * * ?         | At 09:30:00 and 09:30:15 every day
          0 */8 * * *             | At 00:00, 08:00 and 16:00 every day
          * * * * *               | Every minute
          * * * * * ?             | Every second
          */15 * * * *            | Every 15 minutes
          0 * * * *               | Every hour
          @hourly                 | Every hour
          5 * * * *               | Every hour, at minute 5
          5 * * * 1               | Every hour, at minute 5, on Monday
          30 5 * * * ?            | Every hour, at minute 5 and second 30
          30 * * * * ?            | Every minute, at second 30
          */10 * * * * ?          | Every 10 seconds
          5/10 * * * * ?          | Every 10 seconds, from second 5 of every minute
          2-59/10 * * 3 *         | Every 10 minutes, from minute 2 of every hour, in March
          */7 * * * *             | At minutes 0, 7, 14, …, 56 of every hour
          */7 9 * * *             | Every 7 minutes from 09:00 to 09:56
          0 */2 * * *             | Every 2 hours from 00:00 to 22:00
          30 */2 * * *            | Every 2 hours from 00:30 to 22:30
          0 */5 * * *             | Every 5 hours from 00:00 to 20:00
          0 9-17 * * 1-5          | Every hour from 09:00 to 17:00 on Monday to Friday
          */15 9-17 * * 1-5       | Every 15 minutes from 09:00 to 17:45 on Monday to Friday
          * 9 * * *               | Every minute from 09:00 to 09:59
          30 * 9-10 * * ?         | Every minute from 09:00:30 to 10:59:30
          * * 9 * * ?             | Every second from 09:00:00 to 09:59:59
          * 2,4 * * *             | Every minute of hours 2 and 4
          1,2,3,9 8,12,17 * * *   | At minutes 1 to 3 and 9 of hours 8, 12 and 17
          30 0/15 * * * ?         | At second 30 of minutes 0, 15, 30 and 45 of every hour
          5,7 * 8,12 * * ?        | At seconds 5 and 7 of every minute of hours 8 and 12
          0 0 1 1 *               | At 00:00 on day 1 of January
          0 0 1,15 * *            | At 00:00 on days 1 and 15 of the month
          0 0 * 1,7 *             | At 00:00 every day in January and July
          0 0 13 * 5              | At 00:00 on day 13 of the month, and also on Friday
          0 0 1-7 6-8 1           | At 00:00 on days 1 to 7 of June to August, and also on Monday in June to August
          0 0 1-31 * 1            | At 00:00 every day
          0 0 */2 * 1             | At 00:00 on Monday, but only on days 1, 3, 5, …, 31 of the month
          0 30 2 L * ?            | At 02:30 on the last day of the month
          0 0 12 L-1 1,7 ? 2027   | At 12:00 on the day before the last day of January and July in 2027
          0 0 12 L-3 * ?          | At 12:00 on the day 3 days before the last day of the month
          0 0 12 LW * ?           | At 12:00 on the last weekday (Monday to Friday) of the month
          0 0 12 15W * ?          | At 12:00 on the weekday (Monday to Friday) nearest to day 15 of the month
          0 0 12 L-2W,1 * ?       | At 12:00 on day 1 and on the weekday (Monday to Friday) nearest to the day 2 days before the last day of the month
          0 0 0 ? * 2#1           | At 00:00 on the first Monday of every month
          0 0 0 ? 3,6 6#5,6L      | At 00:00 on the fifth Friday and the last Friday of March and June
          0 0 0 ? * L             | At 00:00 on Saturday
          0 0 0 ? 1-3 WED,6#3     | At 00:00 on Wednesday in January to March and on the third Friday of January to March
          0 0 9 * * ? 2027        | At 09:00 every day in 2027
          0 0 9 * * ? 2030/10     | At 09:00 every day in 2030, 2040, 2050, …, 2090
          0 0/30 * * 1 ? 2027,2029| Every 30 minutes in January in 2027 and 2029
          """)
  void an_expression_is_told_in_words(String cron, String words) {
    assertThat(Cron.parse(cron).words()).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1S,Every second",
    "PT45S,Every 45 seconds",
    "PT90S,Every 90 seconds",
    "PT1M,Every minute",
    "PT15M,Every 15 minutes",
    "PT90M,Every 90 minutes",
    "PT1H,Every hour",
    "PT24H,Every 24 hours",
    "PT36H,Every 36 hours",
    "P7D,Every 7 days of 24 hours"
  })
  void an_interval_is_told_in_words(String interval, String words) {
    assertThat(Plan.every(interval).made().timing().words()).isEqualTo(words);
  }

  /** Words that could mean two things would be those of two expressions. */
  @Test
  void two_expressions_with_the_same_words_mean_the_same() {
    RandomGenerator random = new SplittableRandom(15);
    Map<String, String> seen = new HashMap<>();
    int same = 0;
    for (int i = 0; i < 5_000; i++) {
      String cron = random(random);
      String before = seen.putIfAbsent(Cron.parse(cron).words(), cron);
      if (before != null && !before.equals(cron)) {
        assertThat(times(cron)).as("%s and %s", cron, before).isEqualTo(times(before));
        same++;
      }
    }
    assertThat(same).isGreaterThan(200);
  }

  private static List<LocalDateTime> times(String text) {
    Cron cron = Cron.parse(text);
    List<LocalDateTime> times = new ArrayList<>();
    LocalDateTime time = cron.next(LocalDateTime.parse("2027-01-01T00:00"));
    for (int i = 0; i < 300 && time != null; i++) {
      times.add(time);
      // Minutes, hours and days of an expression with many times are seen too.
      time = cron.next(i < 150 ? time : time.plusHours(7));
    }
    return times;
  }

  private static String random(RandomGenerator random) {
    String minute = pick(random, "0", "30", "*", "*/15", "0,30", "5", "1-3", "*/7", "5-59/15");
    String hour = pick(random, "*", "9", "9-17", "*/2", "*/5", "8,12", "0,8,16", "1-23/2", "22,23");
    String months = pick(random, "*", "*", "1", "1,7", "*/2", "6-8", "1-12");
    if (random.nextBoolean()) {
      String day = pick(random, "*", "1", "1-7", "*/2", "1,15", "1-31", "31");
      String weekday = pick(random, "*", "1", "1-5", "0", "7", "6,0", "*/2", "0-6");
      return String.join(" ", minute, hour, day, months.equals("1") ? "1,3" : months, weekday);
    }
    String second = pick(random, "0", "*", "*/10", "5/10", "30", "0,30", "7,9", "0-3");
    String day = pick(random, "*", "1", "L", "L-3", "LW", "15W", "1,L", "1-7", "?");
    String weekday = pick(random, "*", "2", "2-6", "6L", "6#3", "MON,6#3", "L", "1,7", "7-1");
    String year = pick(random, "", "", " *", " 2027-2030", " 2028/2");
    return String.join(" ", second, minute, hour, day, months, day.equals("?") ? weekday : "?")
        + year;
  }

  private static String pick(RandomGenerator random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
