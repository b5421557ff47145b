package dev.ebb.ui.page.system;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.KindList;
import dev.ebb.contract.Settings;
import dev.ebb.contract.Token;
import dev.ebb.contract.TokenList;
import dev.ebb.ui.page.LabelNames;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Who is signed in, what this browser shows and what the whole cluster is set to; and for those who
 * may, the tokens.
 */
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
   * @param kinds that have settings
   * @param cluster {@code null} for those who may not see it
   * @param tokens those that are live first; {@code null} for those who may not see them
   */
  public record Model(
      List<KindForm> kinds,
      @Nullable Cluster cluster,
      @Nullable List<Token> tokens,
      @Nullable String nextCursor,
      boolean first) {}

  /**
   * The settings of the whole cluster.
   *
   * @param subject the label that tells what jobs are about; {@code null} for none
   * @param notices the destination that is told of others; {@code null} for none
   * @param tag of them as they are
   * @param labels names that jobs have, for a choice
   */
  public record Cluster(
      @Nullable String subject,
      @Nullable String notices,
      @Nullable String tag,
      Collection<String> labels) {
    static @Nullable Cluster read(Page page) {
      if (!page.has("jobs:read")) {
        return null;
      }
      Reply reply = page.ask("/v1/settings");
      Collection<String> labels = page.may("queues:admin") ? LabelNames.seen(page) : List.of();
      Settings chosen = Page.read(reply, Settings.class);
      return new Cluster(chosen.subject(), chosen.notices(), reply.tag(), labels);
    }
  }

  @GetMapping(View.ROOT + "/settings")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String cursor = Query.of(request).value("cursor");
    Cluster cluster = Cluster.read(page);
    if (!page.has(TOKENS_ADMIN)) {
      return view.html(page, "settings", new Model(kinds(page), cluster, null, null, true));
    }
    TokenList list =
        page.get(TokenList.class, Url.of("/v1/tokens", "limit", "200", "cursor", cursor));
    List<Token> sorted = list.items().stream().sorted(order(page.now())).toList();
    return view.html(
        page,
        "settings",
        new Model(kinds(page), cluster, sorted, list.nextCursor(), cursor == null));
  }

  private static List<KindForm> kinds(Page page) {
    return page.known(KindList.class, "/v1/kinds", KindList::items).stream()
        .map(KindForm::new)
        .toList();
  }

  private static Comparator<Token> order(Instant now) {
    return Comparator.<Token, Boolean>comparing(token -> !token.state(now).equals("live"))
        .thenComparing(Token::createdAt, Comparator.reverseOrder());
  }
}
