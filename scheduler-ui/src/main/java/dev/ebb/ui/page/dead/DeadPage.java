package dev.ebb.ui.page.dead;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.contract.Problem;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.page.Window;
import dev.ebb.ui.words.Shade;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Dead letters as a matrix: their errors by when they died. */
@RestController
public final class DeadPage {
  /** The columns, with what people read. */
  public static final List<Window> WINDOWS =
      List.of(
          new Window("1h", "1 h"),
          new Window("3h", "3 h"),
          new Window("24h", "24 h"),
          new Window("3d", "3 d"),
          new Window("7d", "7 d"),
          new Window("all", "All"));

  private static final int BAD_REQUEST = 400;

  private final View view;

  DeadPage(View view) {
    this.view = view;
  }

  /** How far back a column looks. */
  public record Window(String name, String words) {
    /** The search for those of a group that died within it. */
    public String query(String group) {
      return "group:" + group + (name.equals("all") ? "" : " ended<" + name);
    }
  }

  /**
   * What the page shows.
   *
   * @param queue of the groups; {@code null} for any
   * @param kind of the groups; {@code null} for any
   * @param next whether it begins behind the newest groups
   * @param groups {@code null} where the filter breaks a rule
   * @param refused the rule
   */
  public record Model(
      @Nullable String queue,
      @Nullable String kind,
      boolean next,
      @Nullable ErrorGroupList groups,
      @Nullable Problem refused) {

    public List<Window> windows() {
      return WINDOWS;
    }

    /**
     * How dark a cell is: by the group's share of what the column has more than the one before it.
     * A young group is so dark only where it died.
     */
    public int shade(ErrorGroup group, String window) {
      long total =
          groups == null ? 0 : groups.items().stream().mapToLong(one -> more(one, window)).sum();
      return Shade.of(more(group, window), total);
    }

    private static long more(ErrorGroup group, String window) {
      int column = WINDOWS.stream().map(Window::name).toList().indexOf(window);
      long before = column == 0 ? 0 : group.count(WINDOWS.get(column - 1).name());
      return Math.max(0, group.count(window) - before);
    }
  }

  @GetMapping(View.ROOT + "/dead")
  @Open
  @QueryParameters({"queue", "kind", "cursor"})
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    String queue = query.value("queue");
    String kind = query.value("kind");
    String cursor = query.value("cursor");
    Reply reply =
        page.ask(Url.of("/v1/dead-letters/groups", "queue", queue, "kind", kind, "cursor", cursor));
    boolean next = cursor != null;
    Model model =
        reply.isRefused(BAD_REQUEST)
            ? new Model(queue, kind, next, null, reply.problem())
            : new Model(queue, kind, next, Page.read(reply, ErrorGroupList.class), null);
    return view.html(page, "dead", model);
  }
}
