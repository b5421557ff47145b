package dev.ebb.ui.page;

import dev.ebb.api.inside.Rest;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Fills templates. */
public final class View {
  /** The path of the overview; all pages are below it. */
  public static final String ROOT = "/ui";

  /** Where a schedule is written that is not there yet. */
  public static final String NEW_SCHEDULE = ROOT + "/new-schedule";

  private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=utf-8");

  private final Rest rest;
  private final Pace pace = new Pace();
  private final TemplateEngine templates =
      TemplateEngine.createPrecompiled(null, ContentType.Html, null, "dev.ebb.ui.templates");

  View(Rest rest) {
    this.rest = rest;
  }

  /** A page for somebody who is signed in; a {@link PageFailure} if nobody is. */
  public Page page(HttpServletRequest request, HttpServletResponse response) {
    Page page = new Page(rest, request, response);
    page.signIn();
    return page;
  }

  /** A page for anybody. */
  Page openPage(HttpServletRequest request, HttpServletResponse response) {
    return new Page(rest, request, response);
  }

  /**
   * The page, as the template draws it.
   *
   * @param template its name without its ending; its parameters are {@code page} and {@code model}
   */
  public ResponseEntity<byte[]> html(Page page, String template, Object model) {
    return html(HttpStatusCode.valueOf(200), page, template, model);
  }

  public ResponseEntity<byte[]> html(
      HttpStatusCode status, Page page, String template, Object model) {
    byte[] html = bytes(page, template, model);
    Duration pause = pace.pause(System.nanoTime(), page.age());
    return ResponseEntity.status(status)
        .contentType(HTML)
        .header(Pace.HEADER, Long.toString(pause.toMillis()))
        .body(html);
  }

  /** A page that is no part of the dashboard: its one parameter is {@code model}. */
  public ResponseEntity<byte[]> html(HttpStatusCode status, String template, Object model) {
    return ResponseEntity.status(status)
        .contentType(HTML)
        .header("Vary", "Accept")
        .body(bytes(template, Map.of("model", model)));
  }

  byte[] bytes(Page page, String template, @Nullable Object model) {
    return bytes(
        template, model == null ? Map.of("page", page) : Map.of("page", page, "model", model));
  }

  private byte[] bytes(String template, Map<String, Object> parameters) {
    StringOutput html = new StringOutput();
    templates.render(template + ".jte", parameters, html);
    return html.toString().getBytes(StandardCharsets.UTF_8);
  }
}
