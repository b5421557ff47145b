package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.access.Role;
import dev.ebb.db.access.NewSecret;
import dev.ebb.ui.UiServer.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignInTest {
  private static final String JOB = "{\"kind\":\"report\",\"payload\":1}";

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer signIn(String token, String next) {
    return server.form("/ui/login", "token", token, "next", next);
  }

  private static final String UNKNOWN = "01912345-89ab-7def-8123-456789abcdef";

  @Test
  void the_page_of_a_job_that_is_not_there_leads_on_and_says_it_once() {
    String viewer = server.token("looks", Role.VIEWER).text();

    Answer answer = server.get("/ui/jobs/" + UNKNOWN, viewer);

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body())
        .contains("aria-label=\"Pages\"", "role=\"search\"", "Sign out")
        .contains("<h1>There is no job " + UNKNOWN + "</h1>")
        .contains("href=\"/ui/jobs?q=" + UNKNOWN + "\">Search for this id</a>")
        .containsPattern("jobs are kept for [1-9][0-9,]* days?\\.")
        .doesNotContain("There is no such job", "There is no job " + UNKNOWN + ".");
    assertThat(server.get("/ui/jobs?q=" + UNKNOWN, viewer).body()).contains("No jobs match.");
    assertThat(server.get("/ui/queues/default?window=2h", viewer).body())
        .contains("aria-label=\"Pages\"")
        .doesNotContain("Search for this id");
  }

  @Test
  void an_error_page_shows_nobody_more_than_he_may_see() {
    assertThat(server.get("/ui/jobs/" + UNKNOWN).status()).isEqualTo(303);
    assertThat(server.get("/ui/no-such-page").status()).isEqualTo(303);
    Answer answer = server.get("/ui/login?no=such");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body())
        .contains("<h1>")
        .doesNotContain("aria-label=\"Pages\"", "role=\"search\"", "are kept for");
  }

  @Test
  void a_page_without_a_session_leads_to_the_sign_in_and_back() {
    Answer answer = server.get("/ui/jobs?q=state%3Adead");

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("Location"))
        .isEqualTo("/ui/login?next=%2Fui%2Fjobs%3Fq%3Dstate%253Adead");
    assertThat(server.get(answer.header("Location")).body())
        .contains("name=\"next\" value=\"/ui/jobs?q=state%3Adead\"");
  }

  @Test
  void the_root_leads_to_the_dashboard() {
    assertThat(server.get("/").status()).isEqualTo(303);
    assertThat(server.get("/").header("Location")).isEqualTo("/ui");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no-such-token", "two words", "<script>alert(1)</script>", "é"})
  void a_wrong_token_is_refused_with_a_sentence(String token) {
    Answer answer = signIn(token, "/ui/jobs");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body())
        .containsPattern("role=\"alert\">[A-Z][^<]+\\.<")
        .contains("name=\"next\" value=\"/ui/jobs\"")
        .doesNotContain("<script>alert");
    assertThat(answer.header("Set-Cookie")).isEmpty();
  }

  @Test
  void the_right_token_begins_a_session_that_no_script_reads_and_no_other_site_uses() {
    Answer answer = signIn(UiServer.ADMIN, "/ui/jobs?q=state%3Adead");

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("Location")).isEqualTo("/ui/jobs?q=state%3Adead");
    assertThat(answer.header("Set-Cookie")).contains("; HttpOnly", "; SameSite=Lax");
    String cookie = answer.header("Set-Cookie").replaceFirst(";.*", "");
    assertThat(server.send(server.request("/ui").header("Cookie", cookie).GET()).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//evil.example",
        "/\\evil.example",
        "https://evil.example/ui",
        "https:/ui",
        "javascript:alert(1)",
        "/uievil",
        "/ui@evil.example",
        "/ui/\\evil.example",
        "/ui/jobs\r\nSet-Cookie: a=b",
        " /ui/jobs",
        "/v1/jobs"
      })
  void it_leads_to_no_other_place(String next) {
    assertThat(signIn(UiServer.ADMIN, next).header("Location")).isEqualTo("/ui");
  }

  @Test
  void a_change_without_the_proof_of_a_page_is_refused() {
    String token = server.token("changer", Role.ADMIN).text();

    for (String proof : List.of("", "wrong", server.proof(UiServer.ADMIN))) {
      Answer answer = server.post("/v1/jobs", JOB, token, proof);
      assertThat(answer.status()).as(proof).isEqualTo(403);
      assertThat(answer.field("code")).isEqualTo("cross_site");
    }
  }

  @Test
  void a_change_with_the_proof_that_a_page_tells_is_served() {
    String token = server.token("server", Role.ADMIN).text();
    String page = server.get("/ui", token).body();
    String proof = page.replaceFirst("(?s).*name=\"ebb-page\" content=\"([^\"]*)\".*", "$1");

    assertThat(server.post("/v1/jobs", JOB, token, proof).status()).isEqualTo(201);
  }

  @Test
  void signing_out_ends_the_session() {
    Answer answer = server.form("/ui/logout");

    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("Location")).isEqualTo("/ui/login");
    assertThat(answer.header("Set-Cookie")).startsWith("ebb_session=;").contains("Max-Age=0");
  }

  @Test
  void a_session_ends_with_its_token() {
    NewSecret token = server.token("leaver", Role.VIEWER);
    assertThat(server.get("/ui", token.text()).status()).isEqualTo(200);
    Answer revoked =
        server.send(
            server
                .request("/v1/tokens/" + token.token().id())
                .header("Authorization", "Bearer " + UiServer.ADMIN)
                .DELETE());
    assertThat(revoked.status()).isBetween(200, 204);

    assertThat(server.get("/ui", token.text()).status()).isEqualTo(303);
    assertThat(server.get("/ui", token.text()).header("Location")).startsWith("/ui/login?next=");
  }
}
