package dev.ebb.ui.page;

import dev.ebb.api.access.Open;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.reference.Reference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The reference of the API. It is open to all, as the contract is; who is signed in has the
 * dashboard's menu beside it.
 */
@RestController
public final class DocsPage {
  /** Its path, which is not below the dashboard's. */
  public static final String PATH = "/docs";

  private final View view;
  private final Reference reference;

  DocsPage(View view) throws IOException {
    this.view = view;
    String contract =
        new ClassPathResource("dev/ebb/api/openapi.json")
            .getContentAsString(StandardCharsets.UTF_8);
    this.reference = Reference.of(Json.parsedExactly(contract));
  }

  @GetMapping(PATH)
  @Open
  ResponseEntity<byte[]> docs(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.openPage(request, response);
    page.trySignIn();
    return view.html(page, "docs", reference);
  }
}
