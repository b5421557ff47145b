package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another module serves beside the API. */
class MountTest {
  private static final String[] OF_THE_MOUNT = {
    "Cache-Control: no-cache",
    "Content-Security-Policy: default-src 'self'",
    "X-Content-Type-Options: nosniff"
  };

  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.beside(Pages.MOUNT);
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/ui/page,200,text/html",
    "/%75i/page,200,text/html",
    "/ui/files/openapi.json,200,application/json",
    "/ui/files/none,404,application/problem+json",
    "/ui/nothing,404,application/problem+json",
    "/ui,404,application/problem+json",
    "/ui/page?x=1,400,application/problem+json",
    "/ui/page;x,400,application/problem+json"
  })
  void every_answer_below_its_path_carries_its_headers(String path, int status, String type)
      throws IOException {
    assertThat(get(path))
        .startsWith("HTTP/1.1 " + status)
        .contains("Content-Type: " + type)
        .contains(OF_THE_MOUNT)
        .doesNotContain("no-store");
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/queues,200",
    "/v1/openapi.json,200",
    "/livez,200",
    "/uis,404",
    "/v1/ui,404",
    "/ui/a%2Fb,400"
  })
  void every_other_answer_and_that_to_an_unreadable_path_carry_those_of_the_api(
      String path, int status) throws IOException {
    assertThat(get(path))
        .startsWith("HTTP/1.1 " + status)
        .contains("Cache-Control: no-store", "X-Content-Type-Options: nosniff")
        .doesNotContain("no-cache", "Content-Security-Policy");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "ui", "/v1", "/ui/", "/ui/pages", "/UI", "/*"})
  void a_path_that_is_no_segment_or_the_api_s_is_refused(String path) {
    assertThatThrownBy(() -> new Mount(path, Map.of(), List.of())).hasMessageStartingWith("path");
  }

  private static String get(String path) throws IOException {
    return api.raw("GET " + path + " HTTP/1.1¶Host: localhost¶Connection: close¶¶");
  }
}
