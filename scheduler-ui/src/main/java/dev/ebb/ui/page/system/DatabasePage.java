package dev.ebb.ui.page.system;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** How the database is: first what is wrong and what to do, then what is known. */
@RestController
public final class DatabasePage {
  private final View view;

  DatabasePage(View view) {
    this.view = view;
  }

  @GetMapping(View.ROOT + "/database")
  @Open
  @QueryParameters({})
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    return view.html(page, "database", page.get(DatabaseHealth.class, "/v1/database"));
  }
}
