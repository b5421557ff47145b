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
  private static final String ALL = "all";

  /** The times of death that the columns are of, each behind the one before; then all of them. */
  public static final List<Period> PERIODS =
      List.of(
          new Period("Last hour", null, "1h"),
          new Period("1–3 h ago", "1h", "3h"),
          new Period("3–24 h ago", "3h", "24h"),
          new Period("1–3 d ago", "24h", "3d"),
          new Period("3–7 d ago", "3d", "7d"),
          new Period("Older", "7d", ALL),
          new Period("All", null, ALL));

  private static final int BAD_REQUEST = 400;

  private final View view;

  DeadPage(View view) {
    this.view = view;
  }

  /**
   * A time in which dead letters died, from a while ago to a shorter while ago.
   *
   * @param words what people read
   * @param after the window that ends where it begins; {@code null} if it reaches up to now
   * @param window with which it begins
   */
  public record Period(String words, @Nullable String after, String window) {
    /** How many of the group died in it. */
    public long count(ErrorGroup group) {
      return Math.max(0, group.count(window) - (after == null ? 0 : group.count(after)));
    }

    /** Whether that number is no estimate. */
    public boolean isExact(ErrorGroup group) {
      return group.isExact(window) && (after == null || group.isExact(after));
    }

    /** The search for those of a group that died in it. */
    public String query(String group) {
      return "group:"
          + group
          + (after == null ? "" : " ended>=" + after)
          + (window.equals(ALL) ? "" : " ended<" + window);
    }

    private boolean isAll() {
      return after == null && window.equals(ALL);
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

    public List<Period> periods() {
      return PERIODS;
    }

    /** How dark a cell is: by the group's share of its column. */
    public int shade(ErrorGroup group, Period period) {
      if (groups == null || period.isAll()) {
        return 0;
      }
      return Shade.of(period.count(group), groups.items().stream().mapToLong(period::count).sum());
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
