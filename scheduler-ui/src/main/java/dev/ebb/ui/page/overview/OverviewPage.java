package dev.ebb.ui.page.overview;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.Forecast;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.page.Window;
import dev.ebb.ui.svg.Figure;
import dev.ebb.ui.svg.ForecastChart;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** How everything stands, and what is wrong. */
@RestController
public final class OverviewPage {
  private final View view;

  OverviewPage(View view) {
    this.view = view;
  }

  @GetMapping(View.ROOT)
  @Open
  @QueryParameters("window")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Window window = Window.of(Query.of(request).value("window"));
    return view.html(page, "overview", new OverviewReader(page, window).read());
  }

  /**
   * A part that comes when the page is there, for it reads among the jobs; or a page of its own.
   */
  @GetMapping(View.ROOT + "/overview/jobs")
  @Open
  @QueryParameters({})
  ResponseEntity<byte[]> jobs(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    return view.html(page, page.isPart() ? "jobs-now" : "overview-jobs", JobsNow.read(page));
  }

  /** The same with what gets worse. */
  @GetMapping(View.ROOT + "/overview/worsening")
  @Open
  @QueryParameters({})
  ResponseEntity<byte[]> worsening(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String template = page.isPart() ? "worsening" : "overview-worsening";
    return view.html(page, template, Worsening.read(page));
  }

  /** The same with the jobs of the next hour. */
  @GetMapping(View.ROOT + "/overview/forecast")
  @Open
  @QueryParameters({})
  ResponseEntity<byte[]> forecast(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Forecast forecast = page.get(Forecast.class, "/v1/stats/forecast");
    Figure figure = ForecastChart.of(forecast, page.jobLinks(page.now()));
    return view.html(page, page.isPart() ? "next-hour" : "overview-forecast", figure);
  }
}
