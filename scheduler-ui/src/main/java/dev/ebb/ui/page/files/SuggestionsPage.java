package dev.ebb.ui.page.files;

import dev.ebb.api.access.Open;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.NamedScheduleList;
import dev.ebb.contract.NodeList;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.StatsOverview;
import dev.ebb.core.query.Phase;
import dev.ebb.core.query.QueryField;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What a search box suggests: the tokens that the parser reads, and the values that are known. */
@RestController
public final class SuggestionsPage {
  private static final String QUEUES = "/v1/stats/overview?limit=200";
  private static final String SCHEDULES = "/v1/schedules?limit=200";
  private static final String NODES = "/v1/nodes?limit=100";

  private final View view;

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

  @GetMapping(View.ROOT + "/suggestions")
  @Open
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Suggestions suggestions =
        new Suggestions(
            tokens(page),
            Map.of(
                "state",
                Phase.filterWords(),
                "queue",
                queues(page),
                "kind",
                kinds(page),
                "label",
                schedules(page)));
    byte[] json = Json.pretty(suggestions).getBytes(StandardCharsets.UTF_8);
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(json);
  }

  private static List<Token> tokens(Page page) {
    return QueryField.ALL.stream()
        .filter(field -> !field.name().equals("payload") || page.may("payload:read"))
        .flatMap(field ->
            field.starts().stream().map(text -> new Token(text, field.example(), field.says())))
        .toList();
  }

  private static Collection<String> queues(Page page) {
    return known(
        page,
        QUEUES,
        StatsOverview.class,
        overview ->
            overview.items().stream().map(QueueStanding::queue).filter(Objects::nonNull).toList());
  }

  private static Collection<String> kinds(Page page) {
    return known(
        page,
        NODES,
        NodeList.class,
        nodes -> nodes.items().stream().flatMap(node -> node.kinds().stream()).toList());
  }

  /** The labels by which the jobs of schedules are found. */
  private static Collection<String> schedules(Page page) {
    return known(
        page,
        SCHEDULES,
        NamedScheduleList.class,
        list -> list.items().stream().map(one -> "schedule=" + one.name()).toList());
  }

  /** In order; none where the API refuses, for a box without suggestions is a box. */
  private static <T> Collection<String> known(
      Page page, String target, Class<T> type, Function<T, List<String>> names) {
    Reply reply = page.ask(target);
    return reply.isOk() ? new TreeSet<>(names.apply(type.cast(reply.body()))) : List.of();
  }
}
