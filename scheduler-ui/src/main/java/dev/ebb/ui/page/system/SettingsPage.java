package dev.ebb.ui.page.system;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.contract.Token;
import dev.ebb.contract.TokenList;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Who is signed in and what this browser shows; and for those who may, the tokens. */
@RestController
public final class SettingsPage {
  private static final String TOKENS_ADMIN = "tokens:admin";

  private final View view;

  SettingsPage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param tokens those that are live first; {@code null} for those who may not see them
   */
  public record Model(@Nullable List<Token> tokens, @Nullable String nextCursor, boolean first) {}

  @GetMapping(View.ROOT + "/settings")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String cursor = Query.of(request).value("cursor");
    if (!page.has(TOKENS_ADMIN)) {
      return view.html(page, "settings", new Model(null, null, true));
    }
    TokenList list =
        page.get(TokenList.class, Url.of("/v1/tokens", "limit", "200", "cursor", cursor));
    List<Token> sorted = list.items().stream().sorted(order(page.now())).toList();
    return view.html(page, "settings", new Model(sorted, list.nextCursor(), cursor == null));
  }

  private static Comparator<Token> order(Instant now) {
    return Comparator.<Token, Boolean>comparing(token -> !token.state(now).equals("live"))
        .thenComparing(Token::createdAt, Comparator.reverseOrder());
  }
}
