package dev.ebb.ui.page.operations;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Form;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where people look at many jobs, and then have something done to them by stages. */
@RestController
public final class NewOperationPage {
  private static final List<Action> ACTIONS =
      List.of(
          new Action(
              "redrive", "Redrive", "Redrives", "dead letters run again, with all their attempts"),
          new Action("retry", "Retry", "Retries", "waiting jobs run now"),
          new Action("reschedule", "Reschedule", "Reschedules", "waiting jobs run at another time"),
          new Action("hold", "Hold", "Holds", "waiting jobs do not run until released"),
          new Action(
              "release", "Release", "Releases", "held jobs run as if they had not been held"),
          new Action("skip", "Skip", "Skips", "the next jobs of their ordering keys can run"),
          new Action(
              "set_priority",
              "Set priority",
              "Sets the priority of",
              "available jobs run before or after others"),
          new Action(
              "cancel", "Cancel", "Cancels", "waiting jobs end; running jobs are asked to stop"),
          new Action(
              "discard", "Discard", "Discards", "dead letters are cancelled and do not run again"));

  /** Bytes of ids, of which an operation takes fewer. */
  private static final int MAX_FORM = 65_536;

  private final View view;
  private final Bodies bodies;

  NewOperationPage(View view, Bodies bodies) {
    this.view = view;
    this.bodies = bodies;
  }

  /**
   * What can be done.
   *
   * @param word the API's
   * @param name as a button has it
   * @param verb as a sentence has it
   */
  public record Action(String word, String name, String verb, String does) {}

  /**
   * What the page shows.
   *
   * @param q the search that finds the jobs; {@code null} for all
   * @param ids of the jobs; they go before a search; {@code null} for none
   * @param chosen the action that is chosen first
   * @param asked whether the reader came for that action
   * @param group of dead letters that the search names; {@code null} for none
   */
  public record Model(
      @Nullable String q,
      @Nullable String ids,
      String chosen,
      boolean asked,
      @Nullable NamedGroup group) {
    static Model of(
        @Nullable String q,
        @Nullable String ids,
        @Nullable String asked,
        @Nullable String search,
        @Nullable NamedGroup group) {
      Optional<String> known =
          ACTIONS.stream().map(Action::word).filter(word -> word.equals(asked)).findFirst();
      return new Model(q, ids, known.orElseGet(() -> usual(search)), known.isPresent(), group);
    }

    public List<Action> actions() {
      return ACTIONS;
    }

    /** The one that is chosen first. */
    public Action action() {
      return ACTIONS.stream().filter(one -> one.word().equals(chosen)).findFirst().orElseThrow();
    }

    /** The filter as the API reads it. */
    public String filter() {
      return Json.pretty(q == null ? Map.of() : Map.of("q", q));
    }

    /** Whether the search names no more than states, so that it may cover every job. */
    public boolean coversAll() {
      return ids == null && (q == null || q.strip().matches("(-?state:\\S+(\\s+|$))*"));
    }

    /** How many jobs are named. */
    public int idCount() {
      return ids == null ? 0 : ids.strip().split("[\\s,]+").length;
    }
  }

  @GetMapping(View.ROOT + "/operations/new")
  @Open
  @QueryParameters({"q", "ids", "action"})
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    String q = query.value("q");
    String ids = query.value("ids");
    NamedGroup group = ids == null ? NamedGroup.read(page, q) : null;
    Model model = Model.of(q, ids, query.value("action"), q, group);
    return view.html(page, "new-operation", model);
  }

  /** The same for jobs that were chosen one by one, which may be too many for an address. */
  @PostMapping(View.ROOT + "/operations/new")
  @Open
  ResponseEntity<byte[]> chosen(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Form form = bodies.form(request, MAX_FORM);
    String ids = String.join(",", form.values("ids"));
    if (ids.isBlank()) {
      String jobs = page.link("/jobs", "q", form.value("q"));
      return ResponseEntity.status(HttpStatus.SEE_OTHER).header("Location", jobs).build();
    }
    Model model = Model.of(null, ids, form.value("action"), form.value("q"), null);
    return view.html(page, "new-operation", model);
  }

  /** What is mostly done to the jobs of a search. */
  private static String usual(@Nullable String q) {
    boolean waits = q != null && q.matches("(?s).*\\bstate:(retrying|scheduled)\\b.*");
    return waits ? "retry" : "redrive";
  }
}
