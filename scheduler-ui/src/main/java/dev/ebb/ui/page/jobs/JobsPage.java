package dev.ebb.ui.page.jobs;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.JobList;
import dev.ebb.contract.Problem;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Fault;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The jobs that a search finds, newest first. */
@RestController
public final class JobsPage {
  private static final int BAD_REQUEST = 400;
  private static final String PATH = "/jobs";
  private static final String COLUMNS = "columns";

  /** Says that the columns are a choice to be kept: one column alone looks like any address. */
  private static final String APPLY = "apply";

  /** What is no search of a field. */
  private static final Pattern WORD = Pattern.compile("[^\\s\":<>=-][^\\s\":<>=]{0,199}");

  private static final List<String> STATES =
      List.of(
          "due",
          "scheduled",
          "retrying",
          "held",
          "blocked",
          "running",
          "completed",
          "dead_letter",
          "cancelled");

  /** What people look for, and how one searches for it. */
  private static final List<Choice> QUICK =
      List.of(
          new Choice("Failing now", "state:retrying"),
          new Choice("Failed more than 3 times", "state:retrying attempts>3"),
          new Choice("Due, and over 10 minutes old", "state:due age>10m"),
          new Choice("Held", "state:held"),
          new Choice("Died in the last day", "state:dead ended<1d"),
          new Choice("Timeouts", "state:retrying,dead error:timeout"));

  private final View view;
  private final Searcher searcher = new Searcher();

  JobsPage(View view) {
    this.view = view;
  }

  /** A search that one click begins. */
  public record Choice(String name, String search) {}

  /** A state as a filter. */
  public record Chip(@Nullable String state, String search, boolean chosen) {}

  /**
   * What the page shows.
   *
   * @param q the search; {@code null} for all jobs
   * @param lookup what the search names exactly, if that is several jobs
   * @param jobs {@code null} where the search breaks a rule
   * @param refused the rule
   * @param progress of a search that did not find a page's fill at once; {@code null} for others
   */
  public record Model(
      @Nullable String q,
      JobColumns columns,
      @Nullable String cursor,
      Lookup lookup,
      @Nullable JobList jobs,
      @Nullable Problem refused,
      @Nullable SearchProgress progress) {

    /** All states and each. */
    public List<Chip> chips() {
      return Stream.concat(
              Stream.of(
                  new Chip(null, Search.with(q, "state", null), !Search.hasField(q, "state"))),
              STATES.stream().map(this::chip))
          .toList();
    }

    /** Where another search, or another place of this one, is shown with these columns. */
    public String link(Page page, @Nullable String q, @Nullable String cursor) {
      return page.link(PATH, "q", q, COLUMNS, columns.words(), "cursor", cursor);
    }

    /** Where the search breaks the rule; {@code null} if no place is at fault. */
    public @Nullable Fault fault() {
      return q == null || refused == null || refused.detail() == null
          ? null
          : Fault.of(q, refused.detail());
    }

    /** The search for the same word in payloads; {@code null} of other searches than a word. */
    public @Nullable String inPayloads() {
      return q != null && WORD.matcher(q.strip()).matches()
          ? Search.token("payload", q.strip())
          : null;
    }

    private Chip chip(String state) {
      return new Chip(
          state, Search.with(q, "state", state), Search.has(q, Search.token("state", state)));
    }

    public List<Choice> quick() {
      return QUICK;
    }

    /** Whether there may be rows, now or later. */
    public boolean mayHaveRows() {
      return jobs != null && (progress != null || !jobs.items().isEmpty());
    }

    /** What the page listens to: also to what leaves it. Rows that people page through stay. */
    public @Nullable String live() {
      return cursor == null && refused == null ? "" : null;
    }
  }

  @GetMapping(View.ROOT + PATH)
  @Open
  @QueryParameters(
      value = {"q", "cursor", COLUMNS, APPLY},
      repeated = COLUMNS)
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    String q = query.value("q");
    List<String> named = query.values(COLUMNS);
    JobColumns columns = JobColumns.of(request, named);
    String cursor = query.value("cursor");
    if (query.flag(APPLY, false) || named.contains(JobColumns.USUAL)) {
      // The form names each column by itself; an address that people keep is shorter.
      response.addHeader(HttpHeaders.SET_COOKIE, columns.kept(request, page.prefix()));
      return moved(page.link(PATH, "q", q, COLUMNS, columns.saved(), "cursor", cursor));
    }
    Reply reply = page.ask(Url.of("/v1/jobs", "q", q, "cursor", cursor));
    boolean refused = reply.isRefused(BAD_REQUEST);
    JobList jobs = refused ? null : Page.read(reply, JobList.class);
    Lookup lookup = cursor == null && !page.isPart() ? Lookup.of(page, q) : Lookup.NONE;
    String only = lookup.only(jobs);
    if (only != null) {
      return moved(page.link(PATH + "/" + only));
    }
    SearchProgress progress = jobs == null ? null : progress(jobs, cursor == null);
    Model model =
        new Model(q, columns, cursor, lookup, jobs, refused ? reply.problem() : null, progress);
    return view.html(page, "jobs", model);
  }

  private static @Nullable SearchProgress progress(JobList jobs, boolean whole) {
    boolean isShort = jobs.nextCursor() != null && jobs.items().size() < SearchProgress.ENOUGH;
    return isShort ? SearchProgress.after(jobs, whole) : null;
  }

  /**
   * What a search finds next, within about a second: a part of the page that asks for the next part
   * itself, or a page for a browser that does not.
   */
  @GetMapping(View.ROOT + SearchProgress.FURTHER)
  @Open
  @QueryParameters({
    "q", "cursor", COLUMNS, "looked", "found", "backTo", "whole", "oldest", "jobs", "millis", "stop"
  })
  ResponseEntity<byte[]> further(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    String q = query.value("q");
    SearchProgress before = SearchProgress.of(query);
    Searcher.Found found = searcher.search(page, q, before);
    SearchProgress progress = found.progress();
    JobList.SearchReach looked = new JobList.SearchReach(0, progress.backTo(), null);
    JobList jobs = new JobList(found.jobs(), progress.cursor(), looked);
    JobColumns columns = JobColumns.of(request, query.values(COLUMNS));
    Model model = new Model(q, columns, before.cursor(), Lookup.NONE, jobs, null, progress);
    return view.html(page, page.isPart() ? "jobs-further" : "jobs", model);
  }

  private static ResponseEntity<byte[]> moved(String address) {
    return ResponseEntity.status(HttpStatus.SEE_OTHER)
        .header(HttpHeaders.LOCATION, address)
        .build();
  }

  /**
   * How many the search finds, for each place of the page that says it.
   *
   * @param act whether the way to act on them is there
   */
  public record Count(JobCount count, boolean act) {}

  /** The number: a part of the page, which comes when the list is there already. */
  @GetMapping(View.ROOT + PATH + "/count")
  @Open
  @QueryParameters({"q", "act"})
  ResponseEntity<byte[]> count(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    JobCount count = page.get(JobCount.class, Url.of("/v1/jobs/count", "q", query.value("q")));
    return view.html(page, "count", new Count(count, query.flag("act", false)));
  }
}
