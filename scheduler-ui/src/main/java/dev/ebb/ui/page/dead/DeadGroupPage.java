package dev.ebb.ui.page.dead;

import dev.ebb.api.access.Open;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.Sample;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** One group of dead letters, with the last attempt of some. */
@RestController
public final class DeadGroupPage {
  private static final String GROUPS = "/v1/dead-letters/groups";

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

  @GetMapping(View.ROOT + "/dead/{id}")
  @Open
  ResponseEntity<byte[]> show(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String id) {
    Page page = view.page(request, response);
    Reply reply = page.ask(GROUPS + "/" + Url.segment(id));
    if (reply.isRefused(HttpStatus.NOT_FOUND.value()) && isRow(page, id)) {
      String groups = page.link("/dead", "row", id);
      return ResponseEntity.status(HttpStatus.SEE_OTHER).header("Location", groups).build();
    }
    ErrorGroup group = Page.read(reply, ErrorGroup.class);
    List<Sample> samples =
        group.samples().stream().flatMap(job -> Sample.find(page, job).stream()).toList();
    return view.html(page, "dead-group", new Model(group, reply.tag(), samples));
  }

  /** Whether it is the id of a row of several groups. */
  private static boolean isRow(Page page, String id) {
    String groups = Url.of(GROUPS, "row", id, "limit", "1");
    return !page.get(ErrorGroupList.class, groups).items().isEmpty();
  }
}
