package dev.ebb.ui.page.lab;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.NamedPolicy;
import dev.ebb.contract.PolicyList;
import dev.ebb.contract.PolicyPreview;
import dev.ebb.contract.Problem;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.svg.Figure;
import dev.ebb.ui.svg.PolicyCharts;
import dev.ebb.ui.words.PolicyWords;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The policy lab: what a retry policy means, before anybody follows it. */
@RestController
public final class LabPage {
  private static final int BAD_REQUEST = 400;
  private static final String POLICY = "policy";

  private final View view;

  LabPage(View view) {
    this.view = view;
  }

  /**
   * A provider's schedule, as near as a policy comes to it.
   *
   * @param link the parameters of the lab
   */
  public record Example(String name, String note, String link) {}

  /** As the providers publish them. */
  private static final List<Example> EXAMPLES =
      List.of(
          new Example(
              "Alipay-like",
              "Antom's published list: 8 sends within 24 h 22 min.",
              "?policy=alipay"),
          new Example(
              "WeChat-like",
              "WeChat Pay v2's list: 16 sends within 24 h 4 min. Other pages list fewer.",
              "?policy=wechat"),
          new Example(
              "Stripe-like",
              "Stripe says “exponential, up to 3 days”. Base, factor and cap are a guess.",
              "?jitter=equal&base=5m&factor=2&cap=12h&maxAttempts=16&deadline=3d"),
          new Example(
              "Square-like",
              "From an older page of Square: 1, 2, 4 … 32 min, then hourly, 72 h in all.",
              "?jitter=none&base=1m&factor=2&cap=1h&maxAttempts=78&deadline=72h"),
          new Example(
              "Svix",
              "Svix's list. Svix jitters each step both ways; here jitter only shortens it.",
              "?policy=svix"),
          new Example(
              "Standard Webhooks",
              "The example in version 1.0, which asks for jitter without saying how much.",
              "?policy=standard-webhooks"));

  /**
   * What the page shows.
   *
   * @param opened the stored policy that the fields began with; {@code null} without one
   * @param tag of that policy
   * @param untyped the fields that were left empty, and have the value of the policy before
   * @param refused the rules that the fields break; {@code null} if they keep all
   */
  public record Model(
      LabForm form,
      @Nullable String opened,
      @Nullable String tag,
      Set<String> untyped,
      @Nullable PolicyPreview preview,
      @Nullable Problem refused,
      List<NamedPolicy> named) {

    public List<Example> examples() {
      return EXAMPLES;
    }

    /** The rule that a field breaks. */
    public @Nullable String rule(String field) {
      if (refused == null) {
        return null;
      }
      return refused.at(field.equals("jobs") ? "/jobs" : "/policy/" + field);
    }

    /** Whether the rule that is broken belongs to no field. */
    public boolean isElsewhere() {
      return refused != null && LabForm.fields().stream().allMatch(field -> rule(field) == null);
    }

    /** The policy in words. */
    public String words() {
      PolicyPreview shown = Objects.requireNonNull(preview);
      String text =
          PolicyWords.of(shown.policy(), shown.maxAttempts(), PolicyWords.NORMAL_PRIORITY);
      return Character.toUpperCase(text.charAt(0))
          + text.substring(1)
          + "; "
          + PolicyWords.givesUp(shown.giveUp())
          + ".";
    }

    public List<Figure> charts() {
      PolicyPreview shown = Objects.requireNonNull(preview);
      return List.of(
          PolicyCharts.bands(shown),
          PolicyCharts.load(shown),
          PolicyCharts.attempts(shown),
          PolicyCharts.givesUp(shown));
    }

    /** The policies that people stored. */
    public List<NamedPolicy> stored() {
      return named.stream().filter(one -> !one.builtIn()).toList();
    }

    /** A policy in words. */
    public String words(NamedPolicy one) {
      return PolicyWords.of(one.policy());
    }
  }

  @GetMapping(View.ROOT + "/lab")
  @Open
  @QueryParameters({
    POLICY,
    "jitter",
    "base",
    "factor",
    "cap",
    "floor",
    "spread",
    "slot",
    "steps",
    "proportion",
    "maxAttempts",
    "deadline",
    "jobs"
  })
  ResponseEntity<byte[]> show(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    Query query = Query.of(request);
    List<NamedPolicy> named = page.get(PolicyList.class, "/v1/policies").items();
    NamedPolicy opened = find(named, query.value(POLICY));
    LabForm form =
        LabForm.of(Json.tree(Objects.requireNonNullElse(opened, first(named)).policy()))
            .with(query);
    Reply reply = page.question("/v1/policies/preview", form.body());
    Problem refused = reply.isRefused(BAD_REQUEST) ? reply.problem() : null;
    PolicyPreview preview = refused == null ? Page.read(reply, PolicyPreview.class) : null;
    String own = opened == null || opened.builtIn() ? null : opened.name();
    Set<String> untyped = form.untyped(query);
    return view.html(
        page, "lab", new Model(form, own, tag(page, own), untyped, preview, refused, named));
  }

  private static @Nullable NamedPolicy find(List<NamedPolicy> named, @Nullable String name) {
    return named.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
  }

  private static NamedPolicy first(List<NamedPolicy> named) {
    return Objects.requireNonNull(find(named, "default"));
  }

  private static @Nullable String tag(Page page, @Nullable String name) {
    return name == null ? null : page.ask("/v1/policies/" + Url.segment(name)).tag();
  }

  /** The kinds of jitter, with what each does. */
  public static List<String> jitters() {
    return Arrays.asList("full", "equal", "decorrelated", "additive", "none", "slots", "list");
  }
}
