package dev.ebb.ui.page.schedules;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.NamedSchedule;
import dev.ebb.contract.ScheduleFire;
import dev.ebb.contract.ScheduleFireList;
import dev.ebb.contract.SchedulePreview;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.svg.RunStrip;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A schedule: when it fires next, what became of its last fires, and the job that it makes. */
@RestController
public final class SchedulePage {
  private static final String RUNS = "50";

  private final View view;

  SchedulePage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param tag of what people set
   * @param next what comes, as if it were not paused
   * @param newest whether the fires are the last ones
   */
  public record Model(
      NamedSchedule schedule,
      @Nullable String tag,
      SchedulePreview next,
      ScheduleFireList fires,
      boolean newest) {

    public String strip() {
      return RunStrip.of(fires.items());
    }

    public String runs() {
      return RunStrip.words(fires.items());
    }

    /** Whether a fire stands for others, which were missed. */
    public boolean hasMissed() {
      return fires.items().stream().anyMatch(fire -> fire.missed() > 0);
    }

    /** Whether a fire says why it made no job. */
    public boolean hasErrors() {
      return fires.items().stream().map(ScheduleFire::error).anyMatch(error -> error != null);
    }
  }

  @GetMapping(View.ROOT + "/schedules/{schedule}")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String schedule) {
    Page page = view.page(request, response);
    String path = "/v1/schedules/" + Url.segment(schedule);
    Reply reply = page.ask(path);
    String cursor = Query.of(request).value("cursor");
    Model model =
        new Model(
            Page.read(reply, NamedSchedule.class),
            reply.tag(),
            page.get(SchedulePreview.class, path + "/next"),
            page.get(
                ScheduleFireList.class, Url.of(path + "/fires", "limit", RUNS, "cursor", cursor)),
            cursor == null);
    return view.html(page, "schedule", model);
  }
}
