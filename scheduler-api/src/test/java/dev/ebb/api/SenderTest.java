package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask: what a browser sends for a foreign page is refused, programs are served. */
class SenderTest {
  private static ApiServer api;
  private static ApiServer published;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
    published = ApiServer.on("0.0.0.0", "api", "jobs.example");
  }

  @AfterAll
  static void stop() {
    api.close();
    published.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:9", "127.0.0.1", "127.0.0.1:1", "[::1]:8080"})
  void localhost_and_addresses_are_served_with_any_port(String host) throws IOException {
    assertThat(get(api, host)).startsWith("HTTP/1.1 200");
    assertThat(get(published, host)).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80"})
  void a_name_that_was_made_to_lead_there_is_not_served_wherever_the_api_listens(String host)
      throws IOException {
    for (ApiServer one : new ApiServer[] {published, api}) {
      long before = one.stored();

      String read = get(one, host);
      String written = submit(one, host, "Origin: http://" + host);

      assertThat(read).startsWith("HTTP/1.1 421").contains("\"code\":\"wrong_host\"");
      assertThat(read).contains("EBB_HTTP_NAMES");
      assertThat(written).startsWith("HTTP/1.1 421");
      assertThat(one.stored()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"api:8080", "API", "jobs.example"})
  void a_name_that_the_operator_gave_is_served(String host) throws IOException {
    assertThat(get(published, host)).startsWith("HTTP/1.1 200");
    assertThat(get(api, host)).startsWith("HTTP/1.1 421");
  }

  @Test
  void a_request_without_a_host_is_a_programs() throws IOException {
    assertThat(api.raw("GET /livez HTTP/1.0¶¶")).startsWith("HTTP/1.1 200");
    assertThat(published.raw("GET /livez HTTP/1.1¶Host:¶Connection: close¶¶"))
        .startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:1,Origin: http://localhost:1,201",
    "localhost:1,Origin: https://LOCALHOST:1,201",
    "localhost:1,Sec-Fetch-Site: same-origin,201",
    "localhost:1,Sec-Fetch-Site: none,201",
    "localhost:1,Accept: */*,201",
    "localhost:1,Sec-Fetch-Site: cross-site,403",
    "localhost:1,Origin: http://localhost:2,403",
    "localhost:1,Origin: http://localhost,403",
    "localhost:1,Origin: http://evil.example,403",
    "localhost:1,Origin: null,403",
    "localhost:1,Origin: ://,403"
  })
  void a_write_comes_from_a_program_or_from_the_apis_own_page(
      String host, String header, int status) throws IOException {
    for (ApiServer one : new ApiServer[] {api, published}) {
      long before = one.stored();

      String answer = submit(one, host, header);

      assertThat(answer).startsWith("HTTP/1.1 " + status);
      assertThat(answer).contains(status == 403 ? "\"code\":\"cross_site\"" : "\"state\"");
      assertThat(one.stored()).isEqualTo(before + (status == 201 ? 1 : 0));
    }
  }

  @Test
  void a_read_may_come_from_any_page_since_no_answer_lets_it_see_it() throws IOException {
    String answer =
        api.raw(
            "GET /livez HTTP/1.1¶Host: localhost¶Origin: http://evil.example¶"
                + "Sec-Fetch-Site: cross-site¶Connection: close¶¶");

    assertThat(answer).startsWith("HTTP/1.1 200").doesNotContain("Access-Control");
  }

  private static String get(ApiServer one, String host) throws IOException {
    return one.raw("GET /livez HTTP/1.1¶Host: " + host + "¶Connection: close¶¶");
  }

  private static String submit(ApiServer one, String host, String header) throws IOException {
    String body = "{\"kind\":\"a\",\"payload\":1}";
    return one.raw(
        "POST /v1/jobs HTTP/1.1¶Host: "
            + host
            + "¶"
            + header
            + "¶Authorization: Bearer "
            + ApiServer.ADMIN
            + "¶Content-Type: application/json¶Connection: close¶Content-Length: "
            + body.length()
            + "¶¶"
            + body);
  }
}
