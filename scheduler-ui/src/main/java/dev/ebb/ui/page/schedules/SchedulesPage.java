package dev.ebb.ui.page.schedules;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.NamedSchedule;
import dev.ebb.contract.NamedScheduleList;
import dev.ebb.contract.ScheduleFire;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.svg.RunStrip;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The schedules, by name. */
@RestController
public final class SchedulesPage {
  private static final String AT_A_TIME = "50";
  private static final String RUNS = "20";

  private final View view;

  SchedulesPage(View view) {
    this.view = view;
  }

  /** What the page shows. */
  public record Model(List<Row> rows, boolean first, @Nullable String nextCursor) {}

  /** A schedule with its last runs. */
  public record Row(NamedSchedule schedule) {
    private List<ScheduleFire> fires() {
      return Objects.requireNonNullElse(schedule.fires(), List.of());
    }

    public boolean hasRun() {
      return !fires().isEmpty();
    }

    public String strip() {
      return RunStrip.of(fires());
    }

    /** How many fires of those shown came to no job of their own, because they were late. */
    public long missed() {
      return fires().stream()
          .mapToLong(fire -> fire.missed() + (fire.result().equals("misfired") ? 1 : 0))
          .sum();
    }
  }

  @GetMapping(View.ROOT + "/schedules")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String cursor = Query.of(request).value("cursor");
    NamedScheduleList schedules =
        page.get(
            NamedScheduleList.class,
            Url.of("/v1/schedules", "cursor", cursor, "limit", AT_A_TIME, "fires", RUNS));
    List<Row> rows = schedules.items().stream().map(Row::new).toList();
    return view.html(page, "schedules", new Model(rows, cursor == null, schedules.nextCursor()));
  }
}
