package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Text;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP call to make. The rules named here are about the text, and are checked when it is built;
 * a broken one throws {@link InvalidInput}. Whether the address behind the name may be called is
 * decided when it is called.
 *
 * @param url as {@link HttpUrl} says
 * @param method one of GET, POST, PUT, PATCH and DELETE
 * @param headers at most {@value #MAX_HEADERS} of the job, and as many of its destination; a name
 *     is a token of at most 64 characters, given once whatever its case, and none of those that the
 *     delivery writes itself (framing, {@code webhook-*}, {@code ebb-*}), also not with {@code _}
 *     for {@code -}; a value is visible ASCII, with spaces inside, of at most {@value
 *     #MAX_HEADER_VALUE} characters
 * @param body the text that is sent as UTF-8, {@code null} for none; a GET has none
 * @param rules what responses to it mean
 */
public record HttpDelivery(
    URI url,
    String method,
    Map<String, String> headers,
    @Nullable String body,
    ResponseRules rules) {
  public static final String DEFAULT_METHOD = "POST";
  public static final int MAX_HEADERS = 20;
  public static final int MAX_HEADER_VALUE = HeaderRules.MAX_VALUE;

  /** Those of a job and those of its destination. */
  private static final int MAX_MERGED = 2 * MAX_HEADERS;

  public HttpDelivery {
    url = HttpUrl.parse(url.toString());
    HeaderRules.requireMethod(method);
    headers = HeaderRules.checked(headers, MAX_MERGED);
    require(body == null || !method.equals("GET"), "body", "must be absent with GET");
    require(
        body == null || body.codePoints().noneMatch(Text::isLoneSurrogate),
        "body",
        "must not contain lone surrogates");
  }

  /** A delivery that any 2xx accepts. */
  public HttpDelivery(URI url, String method, Map<String, String> headers, @Nullable String body) {
    this(url, method, headers, body, ResponseRules.DEFAULT);
  }
}
