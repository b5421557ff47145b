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
import dev.ebb.ui.words.GroupWords;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.Shade;
import dev.ebb.ui.words.Url;
import dev.ebb.ui.words.Words;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Dead letters as a matrix: whose they are and what failed, by when they died. */
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

    /** The search for those of a search that died in it. */
    public String query(String jobs) {
      return jobs
          + (after == null ? "" : " ended>=" + after)
          + (window.equals(ALL) ? "" : " ended<" + window);
    }

    private boolean isAll() {
      return after == null && window.equals(ALL);
    }
  }

  /** What the jobs of a row have in common. */
  public enum By {
    ERROR_SUBJECT("Subject and error", null),
    SUBJECT("Subject", "subject"),
    DESTINATION("Destination", "destination"),
    ERROR("Error", "error");

    private final String title;
    private final @Nullable String parameter;

    By(String title, @Nullable String parameter) {
      this.title = title;
      this.parameter = parameter;
    }

    public String title() {
      return title;
    }

    /** Its name in the address; {@code null} for the usual one. */
    public @Nullable String parameter() {
      return parameter;
    }

    static By of(@Nullable String parameter) {
      return Arrays.stream(values())
          .filter(by -> Objects.equals(by.parameter, parameter))
          .findFirst()
          .orElse(ERROR_SUBJECT);
    }
  }

  /**
   * What was asked for; {@code null} for any.
   *
   * @param by {@code null} for error and subject
   * @param row whose groups alone are shown
   */
  public record Asked(
      @Nullable String by,
      @Nullable String queue,
      @Nullable String kind,
      @Nullable String subject,
      @Nullable String row) {
    static Asked of(Query query) {
      return new Asked(
          query.value("by"),
          query.value("queue"),
          query.value("kind"),
          query.value("subject"),
          query.value("row"));
    }

    /** Whether it narrows what is shown. */
    public boolean isNarrow() {
      return queue != null || kind != null || subject != null || row != null;
    }

    /** By what it does, in words. */
    public String narrowed() {
      List<String> named = new ArrayList<>();
      if (queue != null) {
        named.add("in this queue");
      }
      if (kind != null) {
        named.add("of this kind");
      }
      if (subject != null) {
        named.add("for this subject");
      }
      return String.join(" ", named);
    }

    /** The same in a queue and of a kind. */
    public Asked in(@Nullable String queue, @Nullable String kind) {
      return new Asked(by, queue, kind, subject, row);
    }

    /** The same by something else; the groups of a row are a list by both. */
    public Asked by(By other) {
      return new Asked(other.parameter(), queue, kind, subject, null);
    }

    private Asked in(ErrorGroup row) {
      return new Asked(null, queue, kind, subject, row.id());
    }

    private String api(@Nullable String cursor) {
      return at("/v1/dead-letters/groups", cursor);
    }

    /** Where it is below a path. */
    public String at(String path, @Nullable String cursor) {
      return Url.of(
          path, "by", by, "queue", queue, "kind", kind, "subject", subject, "row", row, "cursor",
          cursor);
    }
  }

  /**
   * What the page shows.
   *
   * @param next whether it begins behind the largest
   * @param groups {@code null} where the filter breaks a rule
   * @param refused the rule
   */
  public record Model(
      Asked asked, boolean next, @Nullable ErrorGroupList groups, @Nullable Problem refused) {

    public By by() {
      return By.of(asked.by());
    }

    /** Whether rows are of queues with an address alone. */
    public boolean leavesOut() {
      return by() == By.DESTINATION;
    }

    public List<Period> periods() {
      return PERIODS;
    }

    /** How many rows there are, and which of them are shown. */
    public String cut() {
      ErrorGroupList list = Objects.requireNonNull(groups);
      int shown = list.items().size();
      if (shown == list.total()) {
        return "The largest first.";
      }
      String rows = Words.number(shown) + " of " + Words.number(list.total()) + " rows.";
      return (next ? "The next " : "The largest ") + rows;
    }

    /** Where the row leads: to the group, or to the groups that it holds. */
    public String more(Page page, ErrorGroup group) {
      return by() == By.ERROR_SUBJECT
          ? page.link("/dead/" + group.id())
          : page.link(asked.in(group).at("/dead", null));
    }

    /** What the dead letters of the row have in common. */
    public String name(ErrorGroup group) {
      return switch (by()) {
        case SUBJECT -> GroupWords.subject(group);
        case DESTINATION -> group.queue();
        case ERROR -> group.errorReason();
        case ERROR_SUBJECT -> GroupWords.subject(group) + ": " + group.errorReason();
      };
    }

    /** Whose the dead letters of the row are; {@code null} where rows are of errors alone. */
    public @Nullable String whose(ErrorGroup group) {
      return switch (by()) {
        case ERROR -> null;
        case DESTINATION -> group.queue();
        case SUBJECT, ERROR_SUBJECT -> GroupWords.subject(group);
      };
    }

    /** Whether the row's groups may be of several queues and kinds. */
    public boolean isMixed(ErrorGroup group) {
      return (by() == By.SUBJECT || by() == By.DESTINATION) && group.groups() > 1;
    }

    /** What the groups of the row that was opened have in common; {@code null} if none was. */
    public @Nullable String opened() {
      if (asked.row() == null || groups == null || groups.items().isEmpty()) {
        return null;
      }
      return GroupWords.common(groups);
    }

    /** The search for the jobs of the row: its id stands for its groups in all queues. */
    public String jobs(ErrorGroup group) {
      boolean ofSeveral = by() == By.ERROR || by() == By.DESTINATION;
      String subject = ofSeveral ? asked.subject() : null;
      return "group:"
          + group.id()
          + (asked.queue() == null ? "" : " queue:" + asked.queue())
          + (asked.kind() == null ? "" : " kind:" + asked.kind())
          + (subject == null ? "" : " " + Search.token("subject", subject));
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
  @QueryParameters({"by", "queue", "kind", "subject", "row", "cursor"})
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    Asked asked = Asked.of(query);
    String cursor = query.value("cursor");
    Reply reply = page.ask(asked.api(cursor));
    boolean next = cursor != null;
    Model model =
        reply.isRefused(BAD_REQUEST)
            ? new Model(asked, next, null, reply.problem())
            : new Model(asked, next, Page.read(reply, ErrorGroupList.class), null);
    return view.html(page, "dead", model);
  }
}
