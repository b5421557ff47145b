package dev.ebb.ui.page;

import dev.ebb.api.access.Open;
import dev.ebb.api.inside.Reply;
import dev.ebb.ui.answer.ErrorGroup;
import dev.ebb.ui.answer.Exchange;
import dev.ebb.ui.answer.Job;
import dev.ebb.ui.answer.Json;
import dev.ebb.ui.answer.Tries;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** One group of dead letters, with the last attempt of some. */
@RestController
public final class DeadGroupPage {
  private static final String ATTEMPTS = "100";
  private static final int MOST_PAGES = 3;

  private final View view;

  DeadGroupPage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param tag of what people said of the group
   */
  public record Model(ErrorGroup group, @Nullable String tag, List<Sample> samples) {
    /** The search that finds the group's jobs. */
    public String query() {
      return "group:" + group.id();
    }
  }

  /**
   * A dead letter of the group.
   *
   * @param last its last attempt; {@code null} if none is stored any more, or too many are
   */
  public record Sample(Job job, Tries.@Nullable Try last) {
    /** What it sent and got; {@code null} if it was no delivery. */
    public @Nullable Exchange exchange() {
      return last == null ? null : Exchange.of(last.detail());
    }

    /** What the attempt recorded where it was no delivery; {@code null} for nothing. */
    public @Nullable String detail() {
      return last == null || last.detail() == null || exchange() != null
          ? null
          : Exchange.shortened(Json.pretty(last.detail()));
    }
  }

  @GetMapping(View.ROOT + "/dead/{id}")
  @Open
  ResponseEntity<byte[]> show(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String id) {
    Page page = view.page(request, response);
    Reply reply = page.ask("/v1/dead-letters/groups/" + Url.segment(id));
    ErrorGroup group = Page.read(reply, ErrorGroup.class);
    List<Sample> samples =
        group.samples().stream().flatMap(job -> sample(page, job).stream()).toList();
    return view.html(page, "dead-group", new Model(group, reply.header("ETag"), samples));
  }

  /** Empty if the job was redriven or purged meanwhile. */
  private static Optional<Sample> sample(Page page, String id) {
    return page.find(Job.class, "/v1/jobs/" + id).map(job -> new Sample(job, last(page, id)));
  }

  private static Tries.@Nullable Try last(Page page, String id) {
    String path = "/v1/jobs/" + id + "/attempts";
    String cursor = null;
    for (int read = 0; read < MOST_PAGES; read++) {
      Tries tries = page.get(Tries.class, Url.of(path, "limit", ATTEMPTS, "cursor", cursor));
      cursor = tries.nextCursor();
      if (cursor == null) {
        return tries.last().orElse(null);
      }
    }
    return null;
  }
}
