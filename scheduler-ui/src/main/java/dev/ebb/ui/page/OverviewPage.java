package dev.ebb.ui.page;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
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
}
