package dev.ebb.ui.page.files;

import dev.ebb.api.access.Open;
import dev.ebb.contract.Me;
import dev.ebb.core.query.QueryField;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What a search box suggests: the tokens that the parser reads, and the values that are known. */
@RestController
public final class SuggestionsPage {
  /** How long an answer serves all readers with the same rights. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private static final int MOST_ANSWERS = 100;

  private final View view;
  private final Map<Object, Answer> answers = new ConcurrentHashMap<>();

  SuggestionsPage(View view) {
    this.view = view;
  }

  /**
   * What is suggested.
   *
   * @param values of fields that have few, by the field's name
   */
  private record Suggestions(List<Token> tokens, Map<String, Collection<String>> values) {}

  /**
   * How a token begins.
   *
   * @param says what it finds
   */
  private record Token(String text, String example, String says) {}

  /** What readers with the same rights were told, and when. */
  private record Answer(String json, long at) {
    boolean isFresh() {
      return System.nanoTime() - at < FRESH.toNanos();
    }
  }

  @GetMapping(View.ROOT + "/suggestions")
  @Open
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Me me = Objects.requireNonNull(page.me());
    Object rights = List.of(me.scopes(), me.payloadMask());
    Answer known = answers.get(rights);
    if (known == null || !known.isFresh()) {
      known = new Answer(json(page), System.nanoTime());
      remember(rights, known);
    }
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(known.json().getBytes(StandardCharsets.UTF_8));
  }

  private void remember(Object rights, Answer answer) {
    if (answers.size() >= MOST_ANSWERS) {
      answers.clear();
    }
    answers.put(rights, answer);
  }

  private static String json(Page page) {
    Suggestions suggestions = new Suggestions(tokens(page), KnownValues.read(page));
    return Json.pretty(suggestions);
  }

  private static List<Token> tokens(Page page) {
    return QueryField.ALL.stream()
        .filter(field -> !field.name().equals("payload") || page.may("payload:read"))
        .flatMap(field ->
            field.starts().stream().map(text -> new Token(text, field.example(), field.says())))
        .toList();
  }
}
