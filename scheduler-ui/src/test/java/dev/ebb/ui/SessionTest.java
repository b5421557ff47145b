package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.access.Session;
import dev.ebb.core.access.Role;
import dev.ebb.db.access.NewSecret;
import dev.ebb.ui.UiServer.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a session's cookie is good for, where, and until when. */
class SessionTest {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final int MANY = 600;

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.closed();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Answer with(UiServer of, String cookie, String path) {
    return of.send(of.request(path).header("Cookie", cookie).GET());
  }

  @Test
  void a_cookie_tells_nothing_of_its_token_and_is_no_bearer() {
    NewSecret token = server.token("ann", Role.ADMIN);
    String cookie = server.cookie(token.text());
    String value = cookie.replaceFirst(".*=", "");

    assertThat(with(server, cookie, "/v1/me").status()).isEqualTo(200);
    assertThat(value).doesNotContain(token.text().substring(13));
    assertThat(
            server
                .send(server.request("/v1/me").header("Authorization", "Bearer " + value).GET())
                .status())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource({"http, ebb_session", "https, __Host-ebb_session"})
  void a_page_asks_a_question_with_a_body_by_the_session_of_who_reads_it(
      String scheme, String name) {
    String value = server.cookie(UiServer.ADMIN).replaceFirst(".*=", "");

    Answer lab =
        server.send(
            server
                .request("/ui/lab")
                .header("Cookie", name + "=" + value)
                .header("X-Forwarded-Proto", scheme)
                .GET());
    assertThat(lab.status()).as(lab.body()).isEqualTo(200);
  }

  @Test
  void the_text_of_a_token_is_no_session() {
    String token = server.token("bob", Role.ADMIN).text();

    assertThat(with(server, "ebb_session=" + token, "/v1/me").status()).isEqualTo(401);
  }

  @Test
  void a_session_holds_at_each_node_of_the_database_and_outlasts_the_one_where_it_began() {
    String cookie;
    try (UiServer first = UiServer.closed(server.config())) {
      cookie = first.cookie(UiServer.ADMIN);
      assertThat(with(first, cookie, "/ui").status()).isEqualTo(200);
    }

    assertThat(with(server, cookie, "/ui").status()).isEqualTo(200);
  }

  @Test
  void a_session_of_another_database_is_none() {
    try (UiServer other = UiServer.closed()) {
      assertThat(with(server, other.cookie(UiServer.ADMIN), "/ui").status()).isEqualTo(303);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, admin", "3, 4", "4, 5"})
  void a_cookie_of_which_a_part_was_changed_is_none(int part, String by) {
    String token = server.token("carl " + part, Role.VIEWER).text();
    String[] cookie = server.cookie(token).split("[=.]", -1);
    String same = "%s=%s.%s.%s.%s".formatted((Object[]) cookie);
    assertThat(with(server, same, "/v1/me").status()).isEqualTo(200);
    cookie[part] =
        switch (part) {
          case 1 -> Integer.toString(Integer.parseInt(cookie[1]) + 1);
          case 2 -> by;
          case 3 -> Long.toString(Long.parseLong(cookie[3]) + 1);
          default -> (cookie[4].startsWith("A") ? "B" : "A") + cookie[4].substring(1);
        };

    String changed = "%s=%s.%s.%s.%s".formatted((Object[]) cookie);

    assertThat(with(server, changed, "/v1/me").status()).isEqualTo(401);
  }

  @Test
  void a_session_ends_twelve_hours_after_it_began_and_no_later_than_its_token() {
    String cookie = server.cookie(server.token("dora", Role.VIEWER).text());
    long end = Long.parseLong(cookie.split("\\.", -1)[2]);

    assertThat(end - System.currentTimeMillis() / 1000).isBetween(12 * 3600L - 60, 12 * 3600L);
    Answer made =
        server.send(
            server
                .request("/v1/tokens")
                .header("Authorization", "Bearer " + UiServer.ADMIN)
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"name\":\"short\",\"role\":\"viewer\",\"lifetime\":\"PT1H\"}")));
    String shorter = server.cookie(made.field("token"));
    long shortEnd = Long.parseLong(shorter.split("\\.", -1)[2]);
    assertThat(shortEnd - System.currentTimeMillis() / 1000).isBetween(3600L - 60, 3601L);
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', ebb_session, /, false",
    "/ebb, '', ebb_session, /ebb/, false",
    "'', https, __Host-ebb_session, /, true",
    "/ebb, https, __Secure-ebb_session, /ebb/, true",
  })
  void the_cookie_goes_to_this_server_and_its_place_alone(
      String prefix, String proto, String name, String path, boolean secure) {
    var request = server.request("/ui/login").header("Content-Type", FORM);
    if (!prefix.isEmpty()) {
      request.header("X-Forwarded-Prefix", prefix);
    }
    if (!proto.isEmpty()) {
      request.header("X-Forwarded-Proto", proto);
    }
    String set =
        server
            .send(request.POST(BodyPublishers.ofString("token=" + UiServer.ADMIN)))
            .header("Set-Cookie");

    assertThat(set).startsWith(name + "=").contains("; Path=" + path + ";");
    assertThat(set.endsWith("; Secure")).isEqualTo(secure);
    String cookie = set.replaceFirst(";.*", "");
    var page = server.request("/ui").header("Cookie", cookie);
    if (secure) {
      assertThat(server.send(page.copy().GET()).status()).as("without TLS").isEqualTo(303);
      page.header("X-Forwarded-Proto", proto);
    }
    Answer answer = server.send(page.GET());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains(Session.proof(cookie.replaceFirst(".*=", "")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json | token=x | 415",
        "application/x-www-form-urlencoded | token=%FF | 400",
        "application/x-www-form-urlencoded | LONG | 413",
      })
  void a_form_that_cannot_be_read_whole_is_refused(String type, String body, int status) {
    String sent = body.equals("LONG") ? "token=" + "x".repeat(5_000) : body;

    Answer answer =
        server.send(
            server
                .request("/ui/login")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(sent)));

    assertThat(answer.status()).isEqualTo(status);
  }

  @Test
  void a_sign_in_that_drips_is_told_that_it_is_too_slow() throws Exception {
    try (UiServer hurried = UiServer.hurried(Duration.ofSeconds(2));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), hurried.port())) {
      socket.setSoTimeout(100);
      OutputStream out = socket.getOutputStream();
      String head =
          "POST /ui/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 4000\r\n\r\n"
              .formatted(FORM);
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      StringBuilder answer = new StringBuilder();
      for (int drips = 0; drips(out, socket.getInputStream(), answer); drips++) {
        assertThat(drips).isLessThan(MANY);
      }

      assertThat(answer.toString()).startsWith("HTTP/1.1 408 ");
    }
  }

  /** Whether the other side still takes what comes bit by bit. */
  private static boolean drips(OutputStream out, InputStream in, StringBuilder answer) {
    try {
      out.write('x');
      byte[] some = new byte[8192];
      int read = in.read(some);
      answer.append(new String(some, 0, Math.max(0, read), StandardCharsets.US_ASCII));
      return read >= 0;
    } catch (SocketTimeoutException quiet) {
      return true;
    } catch (SocketException closed) {
      return false;
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
