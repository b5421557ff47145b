package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;
import static java.util.Objects.requireNonNullElse;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Text;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the payload of a delivery says: all of it, or what differs from the destination that is its
 * queue. The rules are those of {@link HttpDelivery}.
 *
 * @param url {@code null} for that of the destination. A delivery with a URL of its own takes
 *     nothing from the destination, whose headers may be meant for no other receiver
 * @param method {@code null} for the destination's, or else {@value HttpDelivery#DEFAULT_METHOD}
 * @param headers besides those of the destination, or in their place
 * @param body {@code null} for none
 * @param success {@code null} for the destination's, or else any 2xx
 * @param classes {@code null} for the destination's, or else none. None of a job's own disables the
 *     destination, which many jobs share
 * @param result {@code null} for the destination's, or else nothing
 */
public record DeliveryRequest(
    @Nullable URI url,
    @Nullable String method,
    Map<String, String> headers,
    @Nullable Body body,
    @Nullable SuccessRule success,
    @Nullable List<ResponseClass> classes,
    @Nullable Map<String, String> result) {
  private static final String CONTENT_TYPE = "content-type";

  public DeliveryRequest {
    if (url != null) {
      url = HttpUrl.parse(url.toString());
    }
    if (method != null) {
      HeaderRules.requireMethod(method);
    }
    headers = HeaderRules.checked(headers, HttpDelivery.MAX_HEADERS);
    require(body == null || !"GET".equals(method), "body", "must be absent with GET");
    require(body == null || body.isText(), "body", "must not contain lone surrogates");
    if (classes != null) {
      classes = new ResponseRules(SuccessRule.DEFAULT, classes).classes();
      require(
          classes.stream().noneMatch(one -> one.effect() == ResponseClass.Effect.DISABLE),
          "classes",
          "must not disable: only a destination's own classes do");
    }
    if (result != null) {
      result = new ResponseRules(SuccessRule.DEFAULT, List.of(), result).result();
    }
  }

  /**
   * A body as it stands in a payload.
   *
   * @param json its text
   * @param string its characters, if it is a JSON string
   */
  public record Body(String json, @Nullable String string) {
    private boolean isText() {
      return (string == null ? json : string).codePoints().noneMatch(Text::isLoneSurrogate);
    }

    private String as(String contentType) {
      String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
      boolean isJson = type.endsWith("/json") || type.endsWith("+json");
      return string == null || isJson ? json : string;
    }
  }

  /**
   * The delivery.
   *
   * @param destination the address of the job's queue; {@code null} if it has none
   * @throws InvalidInput if neither has a URL, or the two do not fit each other
   */
  public HttpDelivery to(@Nullable Destination destination) {
    if (url != null) {
      return delivery(url, null, Map.of(), ResponseRules.DEFAULT);
    }
    if (destination == null) {
      throw new InvalidInput("url", "is required: the job's queue is no destination");
    }
    return delivery(
        destination.url(), destination.method(), destination.headers(), destination.rules());
  }

  private HttpDelivery delivery(
      URI to, @Nullable String usual, Map<String, String> common, ResponseRules rules) {
    Map<String, String> merged = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    merged.putAll(common);
    merged.putAll(headers);
    String type = merged.getOrDefault(CONTENT_TYPE, "application/json");
    return new HttpDelivery(
        to,
        requireNonNullElse(method == null ? usual : method, HttpDelivery.DEFAULT_METHOD),
        merged,
        body == null ? null : body.as(type),
        new ResponseRules(
            requireNonNullElse(success, rules.success()),
            requireNonNullElse(classes, rules.classes()),
            requireNonNullElse(result, rules.result())));
  }
}
