package dev.ebb.ui.page;

import dev.ebb.api.access.Session;
import dev.ebb.api.inside.Reply;
import dev.ebb.api.inside.Rest;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Me;
import dev.ebb.contract.Problem;
import dev.ebb.ui.svg.JobLinks;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request for a page: who asks, what the API answers it, and where its links lead. */
public final class Page {
  private static final Logger LOG = LoggerFactory.getLogger(Page.class);
  private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9_.-]{1,50}){1,5}");
  private static final int NOT_FOUND = 404;

  private final Rest rest;
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final String prefix;
  private final Instant now = Instant.now();
  private final long begun = System.nanoTime();
  private @Nullable Me me;

  Page(Rest rest, HttpServletRequest request, HttpServletResponse response) {
    this.rest = rest;
    this.request = request;
    this.response = response;
    String prefix = request.getHeader("X-Forwarded-Prefix");
    this.prefix = prefix != null && PREFIX.matcher(prefix).matches() ? prefix : "";
  }

  void signIn() {
    me = get(Me.class, "/v1/me");
  }

  /** Whoever is signed in can go on from a page for anybody; that nobody is makes it no worse. */
  void trySignIn() {
    try {
      signIn();
    } catch (PageFailure refused) {
      LOG.debug("A page for anybody is drawn for nobody", refused);
    }
  }

  /** What the API answers to a GET of path and query; a {@link PageFailure} if it refuses. */
  public <T> T get(Class<T> type, String target) {
    return read(ask(target), type);
  }

  /** The same; empty if there is none. */
  public <T> Optional<T> find(Class<T> type, String target) {
    Reply reply = ask(target);
    return reply.isRefused(NOT_FOUND) ? Optional.empty() : Optional.of(read(reply, type));
  }

  /** Where the limiter of a queue stands; empty without a limit. */
  public Optional<Limiter> limiter(String queue) {
    String path = "/v1/queues/" + Url.segment(queue) + "/limiter";
    return find(Object.class, path).map(found -> found instanceof Limiter limiter ? limiter : null);
  }

  /** The same; the refusal if what a reader typed breaks a rule. */
  public Reply ask(String target) {
    return rest.get(request, response, target);
  }

  /** The items of a list; none where the API refuses. */
  public <T, V> List<V> known(Class<T> type, String target, Function<T, List<V>> items) {
    Reply reply = ask(target);
    return reply.isOk() ? items.apply(read(reply, type)) : List.of();
  }

  /** What the API answers to a question with a body, which changes nothing. */
  public Reply question(String target, String json) {
    return rest.question(request, response, target, json);
  }

  public static <T> T read(Reply reply, Class<T> type) {
    Problem refused = reply.problem();
    if (refused != null) {
      throw new PageFailure(refused);
    }
    return type.cast(reply.body());
  }

  /** Who is signed in; {@code null} on a page for anybody. */
  public @Nullable Me me() {
    return me;
  }

  /** Whether the user's token has the scope, even if the node is read-only. */
  public boolean has(String scope) {
    return me != null && me.has(scope);
  }

  /** Whether the node is read-only. */
  public boolean isReadOnly() {
    return me != null && me.readOnly();
  }

  /** Whether the cluster's start is paused. */
  public boolean isStartPaused() {
    return me != null && me.startPaused();
  }

  /** Whether the user may use the scope on this node. */
  public boolean may(String scope) {
    return me != null && me.may(scope);
  }

  /** What the page's changes must carry; empty where nobody needs a token. */
  public String proof() {
    String session = Session.value(request);
    return session == null ? "" : Session.proof(session);
  }

  /** Whether there is a session that can be ended. */
  public boolean hasSession() {
    return Session.value(request) != null;
  }

  /** Whether a page that is there asks for a part of itself. */
  public boolean isPart() {
    return request.getHeader("HX-Request") != null;
  }

  /** When it was asked for, by this machine's clock. */
  public Instant now() {
    return now;
  }

  /** The time since the page's request. */
  Duration age() {
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  /** Where a proxy put the server: before every path, and mostly empty. */
  public String prefix() {
    return prefix;
  }

  /** The address of a page, with parameters: names and values; those of null are left out. */
  public String link(String path, @Nullable String... parameters) {
    return prefix + View.ROOT + Url.of(path, parameters);
  }

  /**
   * The addresses of the jobs behind a chart's marks.
   *
   * @param kept since when all jobs that ended are still there
   * @param queues whose jobs are counted; none for those of all queues
   */
  public JobLinks jobLinks(Instant kept, String... queues) {
    return new JobLinks(search -> link("/jobs", "q", search), List.of(queues), kept);
  }

  /** The address of a file. */
  public String file(String name) {
    return prefix + View.ROOT + "/files/" + name;
  }

  /** The address of the API's reference. */
  public String docs() {
    return prefix + DocsPage.PATH;
  }

  /** The address of the contract. */
  public String contract() {
    return prefix + "/v1/openapi.json";
  }

  /** Whether the reader's requests need a token, as far as this page knows. */
  public boolean asksForTokens() {
    return me == null || hasSession();
  }

  /** The address of this page, as it was asked for. */
  public String self() {
    String query = request.getQueryString();
    return path() + (query == null ? "" : "?" + query);
  }

  /** The address of the rows of this page's filter as a file, from the first on. */
  public String sheet(String form) {
    String query = request.getQueryString();
    String filter = query == null ? "" : Url.without("columns", Url.without("cursor", query));
    return path() + "." + form + (filter.isEmpty() ? "" : "?" + filter);
  }

  /** The address of all rows of a list, {@code /jobs/ID/attempts}, as a file. */
  public String sheet(String list, String form) {
    return link(list + "." + form);
  }

  /** The server's own address, as the browser knows it. */
  public String origin() {
    return (Session.isSecure(request) ? "https://" : "http://")
        + request.getHeader("Host")
        + prefix;
  }

  /** The same without its parameters. */
  String path() {
    return prefix + request.getRequestURI();
  }

  /** The path below the dashboard's: which part of the menu is lit. */
  public boolean isAt(String path) {
    String own = Objects.requireNonNullElse(request.getRequestURI(), "");
    String below = own.startsWith(View.ROOT) ? own.substring(View.ROOT.length()) : own;
    // A schedule may be named as that page is, so it is not below the others.
    if (own.equals(View.NEW_SCHEDULE)) {
      below = "/schedules";
    }
    return path.isEmpty() ? below.isEmpty() : below.equals(path) || below.startsWith(path + "/");
  }
}
