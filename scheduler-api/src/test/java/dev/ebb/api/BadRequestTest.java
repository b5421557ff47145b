package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request may not be before its body is looked at: always a problem, never a page. */
class BadRequestTest {
  private static final String JOB = "{\"kind\":\"a\",\"payload\":1}";

  private static final String CANCEL = "/v1/jobs/" + ApiServer.UNKNOWN_ID + "/cancel";

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/,404,not_found",
    "GET,/v1,404,not_found",
    "GET,/v1/jobs/,404,not_found",
    "GET,//v1/jobs,404,not_found",
    "GET,/v1/nothing,404,not_found",
    "GET,/favicon.ico,404,not_found",
    "GET,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11,404,job_not_found",
    "GET,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11/attempts,404,job_not_found",
    "POST,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11/cancel,404,job_not_found",
    "POST,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11/retry,404,job_not_found",
    "POST,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11/redrive,404,job_not_found",
    "POST,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11/pause,404,not_found",
    "GET,/v1/queues/none,404,queue_not_found",
    "GET,/v1/jobs/1-1-1-1-1,400,invalid_parameter",
    "GET,/v1/jobs/none,400,invalid_parameter",
    "GET,/v1/jobs/%D0%B6,400,invalid_parameter",
    "GET,/v1/jobs/%FF,400,malformed_request",
    "POST,/v1/jobs/none/cancel,400,invalid_parameter",
    "GET,/v1/queues/UPPER,400,invalid_parameter",
    "GET,/v1/queues/a%20b,400,invalid_parameter",
    "GET,/v1/queues/a%2Fb,400,malformed_request",
    "GET,/v1/queues/a%5Cb,400,malformed_request",
    "GET,/v1/queues/a%00b,400,malformed_request",
    "GET,/v1/jobs;a=b,400,malformed_request",
    "GET,/v1/jobs?limit=0,400,invalid_parameter",
    "GET,/v1/jobs?limit=201,400,invalid_parameter",
    "GET,/v1/jobs?limit=-1,400,invalid_parameter",
    "GET,/v1/jobs?limit=5.0,400,invalid_parameter",
    "GET,/v1/jobs?limit=%2B5,400,invalid_parameter",
    "GET,/v1/jobs?limit=99999999999,400,invalid_parameter",
    "GET,/v1/jobs?limit=,400,invalid_parameter",
    "GET,/v1/jobs?limit,400,invalid_parameter",
    "GET,/v1/jobs?limit=5&limit=5,400,invalid_parameter",
    "GET,/v1/jobs?limt=5,400,invalid_parameter",
    "GET,/v1/jobs?&,400,invalid_parameter",
    "GET,/v1/jobs?state=waiting,400,invalid_parameter",
    "GET,/v1/jobs?state=RUNNING,400,invalid_parameter",
    "GET,/v1/jobs?queue=UPPER,400,invalid_parameter",
    "GET,/v1/jobs?kind=%00,400,invalid_parameter",
    "GET,/v1/jobs?kind=%FF,400,invalid_parameter",
    "GET,/v1/jobs?kind=a%4,400,invalid_parameter",
    "GET,/v1/jobs?kind=a%+1,400,invalid_parameter",
    "GET,/v1/jobs?kind=a%4g,400,invalid_parameter",
    "GET,/v1/jobs?kind=%C0%80,400,invalid_parameter",
    "GET,/v1/jobs?cursor=x,400,invalid_cursor",
    "GET,/v1/jobs?cursor=***,400,invalid_cursor",
    "GET,/v1/queues?limit=0,400,invalid_parameter",
    "GET,/livez?x=1,400,invalid_parameter",
    "POST,/v1/jobs?dryRun=true,400,invalid_parameter",
    "DELETE,/v1/jobs,405,method_not_allowed",
    "PATCH,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11,415,unsupported_media_type",
    "PATCH,/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11/attempts,405,method_not_allowed",
    "POST,/livez,405,method_not_allowed",
    "PUT,/v1/queues,405,method_not_allowed",
    "GET,/v1/schedules/preview,404,schedule_not_found",
    "GET,/v1/schedules/none/next,404,schedule_not_found",
    "GET,/v1/schedules/none/fires,404,schedule_not_found",
    "GET,/v1/schedules/No,400,invalid_parameter",
    "GET,/v1/policies/preview,404,policy_not_found",
    "POST,/v1/policies/default,405,method_not_allowed"
  })
  void a_request_for_what_is_not_there_is_a_problem(
      String method, String path, int status, String code) throws IOException {
    String body = method.equals("POST") && path.startsWith("/v1/jobs?") ? JOB : "";
    String answer =
        api.raw(
            method
                + " "
                + path
                + " HTTP/1.1¶Host: localhost¶Connection: close¶Content-Type: application/json¶"
                + "Content-Length: "
                + body.length()
                + "¶¶"
                + body);

    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    assertThat(answer).contains("application/problem+json", "\"code\":\"" + code + "\"");
    assertThat(answer).contains("\"status\":" + status, "X-Content-Type-Options: nosniff");
    assertThat(answer).doesNotContain("Exception", "<html", "Apache");
    assertThat(api.stored()).isZero();
  }

  @Test
  void a_method_that_is_not_allowed_is_told_which_are() {
    Reply reply = api.send(api.request("/v1/jobs").DELETE());

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("allow").split(", ")).contains("GET", "POST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/json; charset=latin1",
        "application/merge-patch+json",
        "application/*",
        "garbage",
        "x",
        "application/json;charset=\"%\"",
        ";"
      })
  void only_json_in_utf_8_is_read(String contentType) {
    Reply reply =
        api.send(
            api.request("/v1/jobs")
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofString(JOB)));

    assertThat(reply.status()).as(reply.body()).isEqualTo(415);
    assertThat(reply.field("code")).isEqualTo("unsupported_media_type");
    assertThat(api.stored()).isZero();
    Reply verb =
        api.send(
            api.request(CANCEL)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofString("{}")));
    assertThat(verb.status()).as(verb.body()).isEqualTo(415);
  }

  @Test
  void a_body_without_a_type_or_with_an_encoding_is_not_read() {
    Reply untyped = api.send(api.request("/v1/jobs").POST(BodyPublishers.ofString(JOB)));
    Reply encoded =
        api.send(
            api.request("/v1/jobs")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofString(JOB)));

    Reply verb =
        api.send(
            api.request(CANCEL)
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofString("{}")));

    assertThat(untyped.status()).isEqualTo(415);
    assertThat(verb.status()).isEqualTo(415);
    assertThat(encoded.status()).isEqualTo(415);
    assertThat(api.stored()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/plain"})
  void a_body_with_two_types_is_not_read(String second) throws IOException {
    String answer =
        api.raw(
            "POST /v1/jobs HTTP/1.1¶Host: localhost¶Connection: close¶Content-Type: application/json¶"
                + "Content-Type: "
                + second
                + "¶Content-Length: "
                + JOB.length()
                + "¶¶"
                + JOB);

    assertThat(answer).startsWith("HTTP/1.1 415 ").contains("unsupported_media_type", "once");
    assertThat(api.stored()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "application/xml", "garbage"})
  void what_cannot_be_answered_in_the_accepted_type_is_refused_as_a_problem(String accepted) {
    Reply reply = api.send(api.request("/v1/jobs").header("Accept", accepted).GET());

    assertThat(reply.status()).isEqualTo(406);
    assertThat(reply.header("content-type")).isEqualTo("application/problem+json");
    assertThat(reply.field("code")).isEqualTo("not_acceptable");
  }

  @Test
  void a_body_of_a_mebibyte_is_refused_with_and_without_a_length() {
    byte[] large =
        ("{\"kind\":\"a\",\"payload\":\"" + "x".repeat(1 << 20) + "\"}")
            .getBytes(StandardCharsets.UTF_8);

    Reply withLength = api.post("/v1/jobs", BodyPublishers.ofByteArray(large));
    Reply chunked =
        api.post("/v1/jobs", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)));

    for (Reply reply : new Reply[] {withLength, chunked}) {
      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.field("code")).isEqualTo("body_too_large");
      assertThat(reply.field("detail")).contains("65536");
    }
    assertThat(api.stored()).isZero();
  }

  @Test
  void a_sender_of_far_too_much_is_told_so_when_it_has_sent_all_of_it() throws IOException {
    int length = 12 << 20;

    String answer =
        api.raw(
            "POST /v1/jobs HTTP/1.1¶Host: localhost¶Content-Type: application/json¶"
                + "Content-Length: %s¶Connection: close¶¶".formatted(length)
                + "x".repeat(length));

    assertThat(answer).startsWith("HTTP/1.1 413").contains("body_too_large");
  }

  @Test
  void a_body_that_is_refused_by_its_length_need_not_be_sent() throws IOException {
    String answer =
        api.raw(
            "POST /v1/jobs HTTP/1.1¶Host: localhost¶Content-Type: application/json¶"
                + "Expect: 100-continue¶Content-Length: 1048576¶Connection: close¶¶");

    assertThat(answer).startsWith("HTTP/1.1 413");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/jobs HTTP/9.9¶Host: localhost¶¶",
        "GET /v1/\0 HTTP/1.1¶Host: localhost¶¶",
        "GET /v1/jobs?kind=<x> HTTP/1.1¶Host: localhost¶¶",
        "GET /v1/jobs HTTP/1.1¶¶",
        "GET /v1/jobs HTTP/1.1¶Host: localhost¶Host: y¶Connection: close¶¶",
        "POST /v1/jobs HTTP/1.1¶Host: localhost¶Content-Length: -5¶¶",
        "POST /v1/jobs HTTP/1.1¶Host: localhost¶Content-Type: application/json¶"
            + "Transfer-Encoding: chunked¶Connection: close¶¶zz¶",
        "\u0016\u0003\u0001\u0002¶¶"
      })
  void bytes_that_are_no_request_are_answered_with_a_problem(String request) throws IOException {
    String answer = api.raw(request);

    assertThat(answer).matches("(?s)HTTP/1\\.1 (4\\d\\d|505) .*");
    assertThat(answer).contains("X-Content-Type-Options: nosniff", "Cache-Control: no-store");
    assertThat(answer).contains("application/problem+json").doesNotContain("<html", "Exception");
    assertThat(api.stored()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CONNECT x:80 HTTP/1.1¶Host: x:80¶¶ | 501 | not_implemented
          POST /v1/jobs HTTP/1.1¶Host: localhost¶Transfer-Encoding: x¶¶ | 501 | not_implemented
          GET /v1/jobs HTTP/9.9¶Host: localhost¶¶ | 505 | version_not_supported
          """)
  void what_http_has_and_the_api_has_not_is_no_failure_of_ebb(
      String request, int status, String code) throws IOException {
    String answer = api.raw(request);

    assertThat(answer)
        .startsWith("HTTP/1.1 " + status)
        .contains("\"code\":\"" + code + "\"", "\"status\":" + status)
        .doesNotContain("inside Ebb", "traceId");
  }

  @Test
  void headers_of_64_kib_are_refused() throws IOException {
    String answer =
        api.raw("GET /livez HTTP/1.1¶Host: localhost¶X-A: " + "x".repeat(65_536) + "¶¶");

    assertThat(answer).startsWith("HTTP/1.1 400").contains("longer than 8 KiB");
  }

  @Test
  void head_answers_as_get_does() throws IOException {
    String head = api.raw("HEAD /v1/queues HTTP/1.1¶Host: localhost¶Connection: close¶¶");

    assertThat(head).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "OPTIONS,/v1/jobs,405,'GET, HEAD, POST'",
    "TRACE,/v1/jobs,405,'GET, HEAD, POST'",
    "BREW,/v1/jobs,405,'GET, HEAD, POST'",
    "OPTIONS,/livez,405,'GET, HEAD'",
    "TRACE,/livez,405,'GET, HEAD'",
    "BREW,/livez,405,'GET, HEAD'",
    "OPTIONS,/v1/queues/q/pause,405,POST",
    "HEAD,/v1/queues/q/pause,405,POST",
    "OPTIONS,/v1/nothing,404,",
    "TRACE,/v1/nothing,404,",
    "BREW,/v1/nothing,404,"
  })
  void a_method_that_no_route_has_is_refused_with_those_that_the_path_has(
      String method, String path, int status, String allowed) throws IOException {
    String answer =
        api.raw(
            method
                + " "
                + path
                + " HTTP/1.1¶Host: localhost¶Origin: http://x.example¶"
                + "Access-Control-Request-Method: POST¶Connection: close¶¶");

    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    assertThat(answer).contains("application/problem+json", "Cache-Control: no-store");
    assertThat(answer).contains("X-Content-Type-Options: nosniff").doesNotContain("Accept-Patch");
    if (allowed != null) {
      String line = answer.lines().filter(l -> l.startsWith("Allow: ")).findFirst().orElse("");
      assertThat(line.replace("Allow: ", "").split(", "))
          .containsExactlyInAnyOrder(allowed.split(", "));
    }
  }

  @Test
  void a_verb_takes_no_body_but_an_object_with_at_most_a_reason() {
    assertThat(api.post(CANCEL, "{}").field("code")).isEqualTo("job_not_found");
    assertThat(api.post(CANCEL, "{\"reason\":\"x\"}").field("code")).isEqualTo("job_not_found");
    assertThat(api.post(CANCEL, "{\"why\":\"x\"}").firstPointer()).isEqualTo("/why");
    assertThat(api.send(api.request(CANCEL).POST(BodyPublishers.ofString("x"))).status())
        .isEqualTo(415);
  }
}
