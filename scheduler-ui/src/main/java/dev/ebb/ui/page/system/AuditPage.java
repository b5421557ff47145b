package dev.ebb.ui.page.system;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.AuditEntry;
import dev.ebb.contract.AuditList;
import dev.ebb.contract.Problem;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Who did what, to what and why, newest first. */
@RestController
public final class AuditPage {
  private static final int BAD_REQUEST = 400;

  private final View view;

  AuditPage(View view) {
    this.view = view;
  }

  /** What a reader looks for; {@code null} for anything. */
  public record Filter(
      @Nullable String actor,
      @Nullable String action,
      @Nullable String subject,
      @Nullable String from,
      @Nullable String to) {
    static Filter of(Query query) {
      return new Filter(
          query.value("actor"),
          query.value("action"),
          query.value("subject"),
          query.value("from"),
          query.value("to"));
    }

    /** The path with this filter, from a place in the list on. */
    String at(String path, @Nullable String cursor) {
      return Url.of(
          path, "actor", actor, "action", action, "subject", subject, "from", from, "to", to,
          "cursor", cursor);
    }

    public boolean isEmpty() {
      return equals(new Filter(null, null, null, null, null));
    }
  }

  /**
   * What the page shows.
   *
   * @param log {@code null} where the filter breaks a rule
   * @param older where the list goes on; {@code null} at its end
   * @param refused the rule
   */
  public record Model(
      Filter filter, @Nullable AuditList log, @Nullable String older, @Nullable Problem refused) {

    /** The path of the page of what an entry is about; {@code null} if it has none. */
    public @Nullable String path(AuditEntry entry) {
      String subject = Url.segment(entry.subject());
      return switch (entry.action().replaceFirst("\\..*", "")) {
        case "job" -> "/jobs/" + subject;
        case "queue" -> "/queues/" + subject;
        case "schedule" -> "/schedules/" + subject;
        case "operation" -> "/operations/" + subject;
        case "group", "error_group" -> "/dead/" + subject;
        case "node" -> "/nodes";
        case "settings" -> "/settings";
        default -> null;
      };
    }
  }

  @GetMapping(View.ROOT + "/audit")
  @Open
  @QueryParameters({"actor", "action", "subject", "from", "to", "cursor"})
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    Filter filter = Filter.of(query);
    Reply reply = page.ask(filter.at("/v1/audit", query.value("cursor")));
    if (reply.isRefused(BAD_REQUEST)) {
      return view.html(page, "audit", new Model(filter, null, null, reply.problem()));
    }
    AuditList log = Page.read(reply, AuditList.class);
    String cursor = log.nextCursor();
    String older = cursor == null ? null : page.link(filter.at("/audit", cursor));
    return view.html(page, "audit", new Model(filter, log, older, null));
  }
}
