package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.ui.UiServer.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SettingsPageTest {
  private static final String HOSTILE = "<img src=x onerror=EVIL7()>\\\"'";

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String settings(String token) {
    Answer answer = server.get("/ui/settings", token);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void everybody_sees_who_they_are_and_what_is_hidden() {
    String viewer = settings(server.token("vera", Role.VIEWER).text());

    assertThat(viewer)
        .contains("vera", "viewer", "jobs:read", "whole payloads", "Sign out", "data-theme-is")
        .doesNotContain("New token", "data-api", "<dialog");
  }

  @Test
  void those_who_may_make_tokens_see_them_with_their_states_and_no_secret() {
    String secret = server.token("ola", Role.OPERATOR).text();
    String id = server.token("gone", Role.VIEWER).token().id();
    server.execute("update ebb.token set revoked_at = now() where id = '" + id + "'");
    String page = settings(UiServer.ADMIN);

    assertThat(page)
        .contains("ola", "state live", "gone", "state revoked", "data-equals=\"ola\"")
        .contains("it cannot be shown again")
        .doesNotContain(secret.substring(13))
        .doesNotContain("data-equals=\"gone\"");
  }

  @Test
  void a_name_of_a_token_is_text() {
    Answer made =
        server.post(
            "/v1/tokens",
            "{\"name\":\"%s\",\"role\":\"viewer\"}".formatted(HOSTILE),
            UiServer.ADMIN);
    assertThat(made.status()).as(made.body()).isEqualTo(201);

    assertThat(settings(UiServer.ADMIN)).contains("EVIL7").doesNotContain("<img src=x");
  }

  @Test
  void a_node_that_is_read_only_says_so_on_every_page_and_draws_no_button() {
    try (UiServer readOnly = UiServer.readOnly()) {
      for (String path :
          new String[] {
            "/ui",
            "/ui/jobs",
            "/ui/queues",
            "/ui/schedules",
            "/ui/dead",
            "/ui/operations",
            "/ui/nodes",
            "/ui/audit",
            "/ui/settings"
          }) {
        Answer answer = readOnly.get(path, UiServer.ADMIN);
        assertThat(answer.status()).as(path).isEqualTo(200);
        assertThat(answer.body())
            .as(path)
            .contains("<strong>Read-only.</strong>")
            .doesNotContain("data-api", "data-dialog", "<dialog", "/operations/new");
      }
      assertThat(settings(UiServer.ADMIN)).doesNotContain("<strong>Read-only.</strong>");
    }
  }

  @Test
  void the_subject_of_jobs_is_shown_to_all_and_chosen_by_those_who_may() {
    server.post(
        "/v1/jobs",
        "{\"kind\":\"a\",\"payload\":1,\"labels\":{\"merchant\":\"acme\"}}",
        UiServer.ADMIN);

    assertThat(settings(UiServer.ADMIN))
        .contains("data-api=\"PATCH /v1/settings\"", "<option value=\"merchant\">");
    String viewer = settings(server.token("violet", Role.VIEWER).text());
    assertThat(viewer).contains("the host that they are delivered to");

    server.execute("update ebb.settings set subject = 'merchant'");

    assertThat(settings(server.token("vito", Role.VIEWER).text()))
        .contains("the label <code>merchant</code>");
    assertThat(settings(UiServer.ADMIN)).contains("name=\"subject\"", "value=\"merchant\" list");
  }

  private static int put(String kind, String... condition) {
    List<String> headers = new ArrayList<>(List.of(condition));
    headers.addAll(List.of("Authorization", "Bearer " + UiServer.ADMIN));
    String labels = "{\"labelsFrom\":{\"l%s\":\"/order\"}}".formatted(condition.length);
    return server.put("/v1/kinds/" + kind, labels, headers.toArray(String[]::new)).status();
  }

  @Test
  void the_forms_of_a_kind_s_settings_name_them_as_they_are_on_the_page() {
    assertThat(put("tagged")).isEqualTo(201);
    List<String> tags =
        Pattern.compile("/v1/kinds/tagged\" data-match=\"([^ ]*)\" ")
            .matcher(settings(UiServer.ADMIN))
            .results()
            .map(found -> found.group(1).replaceAll("&#34;|&quot;", "\""))
            .toList();

    assertThat(tags).as("to replace and to remove them").hasSize(2);
    assertThat(put("tagged", "If-Match", tags.getFirst())).isEqualTo(200);
    assertThat(put("tagged", "If-Match", tags.getLast())).as("of what they were").isEqualTo(412);
  }
}
