package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a schedule may not be: each refusal points at the field, says the rule, stores nothing. */
class BadScheduleTest {
  private static final String JOB = "\"job\":{\"kind\":\"report\",\"payload\":1}";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static void refuse(String path, Reply reply, String pointer, String rule) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.field("code")).as(reply.body()).isEqualTo("invalid_input");
    assertThat(reply.firstPointer()).as(path + reply.body()).isEqualTo(pointer);
    assertThat(reply.json().at("/errors/0/rule").asString()).as(reply.body()).contains(rule);
    assertThat(reply.body()).doesNotContain("Exception", "dev.ebb", "java.");
    assertThat(api.get("/v1/schedules").json().path("items").size()).isZero();
  }

  /** The same rules hold for a preview as for a schedule that is to be stored. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '§',
      textBlock =
          """
          "cron":"0 0 30 2 *"                         ¦ /cron ¦ must name a date that exists
          "cron":"0 0 0 31 4 ?"                       ¦ /cron ¦ must name a date that exists
          "cron":"0 0 32 1 *"                         ¦ /cron ¦ has 32 as day of month; it must be 1 to 31
          "cron":"60 0 * * *"                         ¦ /cron ¦ has 60 as minute; it must be 0 to 59
          "cron":"0 24 * * *"                         ¦ /cron ¦ has 24 as hour; it must be 0 to 23
          "cron":"0 0 * 13 *"                         ¦ /cron ¦ has 13 as month; it must be
          "cron":"0 0 * * 8"                          ¦ /cron ¦ has 8 as day of week; it must be
          "cron":"0 9 * * mun"                        ¦ /cron ¦ has mun as day of week
          "cron":"* * * *"                            ¦ /cron ¦ has four fields
          "cron":"* * * * * * * *"                    ¦ /cron ¦ has eight fields
          "cron":"0 0 9 * * 1-5"                      ¦ /cron ¦ ?
          "cron":"0 0 9 1 1 2 2027"                   ¦ /cron ¦ ?
          "cron":"0 9 * * ?"                          ¦ /cron ¦ ?
          "cron":"*/0 * * * *"                        ¦ /cron ¦ 0
          "cron":"@fortnightly"                       ¦ /cron ¦ must be one of
          "cron":""                                   ¦ /cron ¦ has no fields
          "cron":"   "                                ¦ /cron ¦ has no fields
          "cron":5                                    ¦ /cron ¦ must be a string
          "cron":null                                 ¦ /cron ¦ must be given
          "cron":"0 0 0 1 1 ? 2020"                   ¦ /cron ¦ must name a time after
          "every":"PT0S"                              ¦ /every ¦ must be between PT1S and P366D
          "every":"PT0.5S"                            ¦ /every ¦ must be between PT1S and P366D
          "every":"PT1.5S"                            ¦ /every ¦ must be in whole seconds
          "every":"-PT5S"                             ¦ /every ¦ must not be negative
          "every":"P367D"                             ¦ /every ¦ must be between PT1S and P366D
          "every":"15m"                               ¦ /every ¦ must be a duration
          "every":900                                 ¦ /every ¦ must be a duration
          "every":"PT1H","cron":"0 9 * * *"           ¦ /every ¦ must not be given together with cron
          "timeZone":"UTC"                            ¦ /cron ¦ must be given
          "cron":"0 9 * * *","timeZone":"Mars/Olympus" ¦ /timeZone ¦ must be
          "cron":"0 9 * * *","timeZone":"Europe/Berlim" ¦ /timeZone ¦ Did you mean Europe/Berlin?
          "cron":"0 9 * * *","timeZone":"EST"         ¦ /timeZone ¦ legacy
          "cron":"0 9 * * *","timeZone":"+02:00"      ¦ /timeZone ¦ offsets
          "cron":"0 9 * * *","timeZone":"UTC+2"       ¦ /timeZone ¦ offsets
          "cron":"0 9 * * *","timeZone":""            ¦ /timeZone ¦ must be
          "cron":"0 9 * * *","startAt":"2027-02-30T00:00:00Z" ¦ /startAt ¦ must be an instant
          "cron":"0 9 * * *","startAt":"2027-01-02T00:00:00Z","endAt":"2027-01-01T00:00:00Z" ¦ /endAt ¦ must be after startAt
          "cron":"0 9 * * *","startAt":"2027-01-02T00:00:00Z","endAt":"2027-01-02T00:00:00Z" ¦ /endAt ¦ must be after startAt
          "cron":"0 9 * * *","startAt":"2027-01-02T00:00:00Z","endAt":"2027-01-02T09:00:00Z" ¦ /endAt ¦ must be after the first fire
          "cron":"0 9 * * *","startAt":"2027-01-02T00:00:00.5Z" ¦ /startAt ¦ must be in whole seconds
          "cron":"0 9 * * 1","exclude":{"weekdays":["monday"]} ¦ /exclude ¦ must not exclude every fire
          "cron":"0 9 25 12 *","exclude":{"yearly":["--12-25"]} ¦ /exclude ¦ must not exclude every fire
          "cron":"0 9 * * *","exclude":{"weekdays":["munday"]} ¦ /exclude/weekdays/0 ¦ Did you mean monday?
          "cron":"0 9 * * *","exclude":{"weekdays":"monday"} ¦ /exclude/weekdays ¦ must be a list
          "cron":"0 9 * * *","exclude":{"dates":["2027-01-01","2027-02-30"]} ¦ /exclude/dates/1 ¦ must be a date that there is
          "cron":"0 9 * * *","exclude":{"dates":["+2027-01-01"]} ¦ /exclude/dates/0 ¦ must be a date
          "cron":"0 9 * * *","exclude":{"dates":[20270101]} ¦ /exclude/dates/0 ¦ must be a string
          "cron":"0 9 * * *","exclude":{"yearly":["--02-30"]} ¦ /exclude/yearly/0 ¦ must be a day of the year that there is
          "cron":"0 9 * * *","exclude":{"yearly":["12-25"]} ¦ /exclude/yearly/0 ¦ must be a day of the year
          "cron":"0 9 * * *","exclude":{"day":["monday"]} ¦ /exclude/day ¦ is unknown
          "cron":"0 9 * * *","exclude":[]              ¦ /exclude ¦ must be an object
          "cron":"0 9 * * *","crom":"x"                ¦ /crom ¦ did you mean cron?
          """)
  void times_that_break_a_rule_are_refused(String fields, String pointer, String rule) {
    refuse("put", api.put("/v1/schedules/bad", "{" + fields + "," + JOB + "}"), pointer, rule);
    refuse("preview", api.post("/v1/schedules/preview", "{" + fields + "}"), pointer, rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '§',
      textBlock =
          """
          "misfire":"never","job":{"kind":"a","payload":1}        ¦ /misfire ¦ must be one of skip, once, all
          "misfire":"onec","job":{"kind":"a","payload":1}         ¦ /misfire ¦ Did you mean once?
          "misfire":1,"job":{"kind":"a","payload":1}              ¦ /misfire ¦ must be a string
          "mostMisfires":0,"job":{"kind":"a","payload":1}         ¦ /mostMisfires ¦ must be between 1 and 1000
          "mostMisfires":1001,"job":{"kind":"a","payload":1}      ¦ /mostMisfires ¦ must be between 1 and 1000
          "overlap":"queued","job":{"kind":"a","payload":1}       ¦ /overlap ¦ Did you mean queue?
          "paused":true,"job":{"kind":"a","payload":1}            ¦ /paused ¦ is unknown
          "reason":"","job":{"kind":"a","payload":1}              ¦ /reason ¦ must be 1 to 500
          "misfire":"skip"                                        ¦ /job ¦ must be given
          "job":[]                                                ¦ /job ¦ must be an object
          "job":{"kind":"a","payload":1,"runAt":"2027-01-01T00:00:00Z"} ¦ /job/runAt ¦ is unknown
          "job":{"kind":"a","payload":1,"delay":"PT1S"}           ¦ /job/delay ¦ is unknown
          "job":{"kind":"a","payload":1,"onDuplicate":"reject"}   ¦ /job/onDuplicate ¦ is unknown
          "job":{"kind":"a","payload":1,"uniqueKey":"{day}"}      ¦ /job/uniqueKey ¦ must have no braces except
          "job":{"kind":"a","payload":1,"uniqueKey":"{date"}      ¦ /job/uniqueKey ¦ must have no braces except
          "job":{"kind":"a","payload":1,"labels":{"schedule":"x"}} ¦ /job/labels ¦ must not be named schedule
          "job":{"kind":"a","payload":1,"labels":{"fireAt":"x"}}  ¦ /job/labels ¦ must not be named schedule or fireAt
          """)
  void rules_that_are_broken_besides_are_named(String fields, String pointer, String rule) {
    refuse(
        "put", api.put("/v1/schedules/bad", "{\"every\":\"PT1H\"," + fields + "}"), pointer, rule);
  }

  /** A job that could not be submitted is refused as its submit would be. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"kind\":\"a\"}",
        "{\"kind\":\"1a\",\"payload\":1}",
        "{\"kind\":\"a\",\"payload\":1,\"queue\":\"Payments\"}",
        "{\"kind\":\"a\",\"payload\":1,\"queu\":\"x\"}",
        "{\"kind\":\"a\",\"payload\":1,\"priority\":10}",
        "{\"kind\":\"a\",\"payload\":1,\"maxAttempts\":0}",
        "{\"kind\":\"a\",\"payload\":1,\"policy\":\"nope\"}",
        "{\"kind\":\"a\",\"payload\":1,\"policy\":{\"base\":\"PT1S\",\"cap\":\"PT8S\",\"bse\":1}}",
        "{\"kind\":\"a\",\"payload\":1,\"timeout\":\"P2D\"}",
        "{\"kind\":\"a\",\"payload\":1,\"uniqueKey\":\"\"}",
        "{\"kind\":\"a\",\"payload\":1,\"labels\":{\"1a\":\"x\"}}",
        "{\"kind\":\"a\",\"payload\":1,\"labels\":{\"a.b\":1}}",
        "{\"kind\":\"http\",\"payload\":1}",
        "{\"kind\":\"http\",\"payload\":{}}",
        "{\"kind\":\"http\",\"payload\":{\"url\":\"file:///etc/passwd\"}}",
        "{\"kind\":\"http\",\"payload\":{\"url\":\"https://example.com/\",\"heders\":{}}}",
        "{\"kind\":\"http\",\"payload\":{\"url\":\"https://example.com/\",\"headers\":{\"a.b\":\"\\n\"}}}"
      })
  void a_job_is_refused_as_its_submit_would_be(String job) {
    Reply submit = api.post("/v1/jobs", job);
    assertThat(submit.status()).as(submit.body()).isEqualTo(400);
    JsonNode broken = submit.json().at("/errors/0");

    Reply put = api.put("/v1/schedules/bad", "{\"every\":\"PT1H\",\"job\":" + job + "}");

    String rule = broken.path("rule").asString().replaceFirst(" allowed are .*", "");
    refuse("put", put, "/job" + broken.path("pointer").asString(), rule);
    assertThat(api.stored()).isZero();
  }

  @Test
  void fifteen_labels_and_a_thousand_and_one_dates_are_too_many() {
    StringBuilder labels = new StringBuilder("\"l0\":\"x\"");
    for (int i = 1; i < 15; i++) {
      labels.append(",\"l").append(i).append("\":\"x\"");
    }
    String job = "{\"kind\":\"a\",\"payload\":1,\"labels\":{" + labels + "}}";
    refuse(
        "labels",
        api.put("/v1/schedules/bad", "{\"every\":\"PT1H\",\"job\":" + job + "}"),
        "/job/labels",
        "must be at most 14");

    StringBuilder dates = new StringBuilder("\"2027-01-01\"");
    for (int i = 0; i < 1_000; i++) {
      dates.append(
          String.format(
              Locale.ROOT, ",\"%d-%02d-%02d\"", 2028 + i / 336, 1 + i / 28 % 12, 1 + i % 28));
    }
    refuse(
        "dates",
        api.post(
            "/v1/schedules/preview",
            "{\"every\":\"PT1H\",\"exclude\":{\"dates\":[" + dates + "]}}"),
        "/exclude/dates",
        "must be at most 1000 dates");
  }

  @ParameterizedTest
  @CsvSource({
    "{\"every\":\"PT1H\";\"count\":0},/count",
    "{\"every\":\"PT1H\";\"count\":101},/count",
    "{\"every\":\"PT1H\";\"count\":\"3\"},/count",
    "{\"every\":\"PT1H\";\"from\":\"1999-01-01T00:00:00Z\"},/from",
    "{\"every\":\"PT1H\";\"from\":\"now\"},/from",
    "{\"every\":\"PT1H\";\"origin\":\"1999-01-01T00:00:00Z\"},/origin",
    "{\"every\":\"PT1H\";\"origin\":\"2027-01-01T00:00:00Z\";\"startAt\":\"2027-01-01T00:00:00Z\"},/origin",
    "{\"every\":\"PT1H\";\"job\":{}},/job",
  })
  void a_preview_that_asks_for_too_much_is_refused(String body, String pointer) {
    Reply reply = api.post("/v1/schedules/preview", body.replace(';', ','));

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
  }

  @ParameterizedTest
  @CsvSource({
    "GET /v1/schedules/s/next?count=0,count",
    "GET /v1/schedules/s/next?count=101,count",
    "GET /v1/schedules?limit=201,limit",
    "GET /v1/schedules?fires=31,fires",
    "GET /v1/schedules/s/fires?limit=0,limit",
    "GET /v1/schedules/S/next,schedule",
    "GET /v1/schedules/a%20b,schedule",
  })
  void a_bad_parameter_is_refused_by_name(String request, String parameter) {
    Reply reply = api.get(request.substring(4));

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(parameter);
  }

  @Test
  void a_bad_name_is_refused_as_a_parameter_before_anything_is_read() {
    for (String name : new String[] {"No", "-a", "a%2Fb", "a".repeat(64), "%C3%A9"}) {
      Reply reply = api.put("/v1/schedules/" + name, "{");
      assertThat(reply.status()).as(name + reply.body()).isEqualTo(400);
    }
    assertThat(api.put("/v1/schedules/No", "{").firstPointer()).isEqualTo("schedule");
  }
}
