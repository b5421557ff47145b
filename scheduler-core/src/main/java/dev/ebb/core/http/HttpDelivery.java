package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Text;
import java.net.URI;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP call to make. The rules named here are about the text, and are checked when it is built;
 * a broken one throws {@link InvalidInput}. Whether the address behind the name may be called is
 * decided when it is called.
 *
 * @param url as {@link HttpUrl} says
 * @param method one of GET, POST, PUT, PATCH and DELETE
 * @param headers at most {@value #MAX_HEADERS}; a name is a token of at most 64 characters, given
 *     once whatever its case, and none of those that the delivery writes itself (framing, {@code
 *     webhook-*}, {@code ebb-*}), also not with {@code _} for {@code -}; a value is visible ASCII,
 *     with spaces inside, of at most {@value #MAX_HEADER_VALUE} characters
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
  public static final int MAX_HEADER_VALUE = 2048;

  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");
  private static final Pattern VALUE = Pattern.compile("[!-~]+(?: +[!-~]+)*");
  private static final Pattern RESERVED =
      Pattern.compile(
          "host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect"
              + "|accept-encoding|http2-settings|proxy-.*|webhook-.*|ebb-.*");
  private static final Pattern FOREIGN_CHARSET =
      Pattern.compile(".*;\\s*charset\\s*=\\s*(?!\"?utf-8\"?\\s*(?:;|$)).*");

  public HttpDelivery {
    url = HttpUrl.parse(url.toString());
    require(METHODS.contains(method), "method", "must be GET, POST, PUT, PATCH or DELETE");
    headers = checkedHeaders(headers);
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

  private static Map<String, String> checkedHeaders(Map<String, String> headers) {
    require(headers.size() <= MAX_HEADERS, "headers", "must be at most " + MAX_HEADERS);
    Map<String, String> checked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, value) -> {
      requireHeader(name, value);
      require(
          checked.put(name, value) == null, "headers." + name, "must be given once, in any case");
    });
    return Collections.unmodifiableMap(checked);
  }

  private static void requireHeader(String name, String value) {
    require(
        NAME.matcher(name).matches(),
        "headers",
        "must have names of 1 to 64 letters, digits and !#$%&'*+-.^_`|~");
    String field = "headers." + name;
    String lower = name.toLowerCase(Locale.ROOT);
    // Behind CGI and its kin, an underscore and a hyphen make the same name.
    require(
        !RESERVED.matcher(lower.replace('_', '-')).matches(),
        field,
        "is reserved: the delivery writes it");
    require(
        value.length() <= MAX_HEADER_VALUE && VALUE.matcher(value).matches(),
        field,
        "must be 1 to " + MAX_HEADER_VALUE + " visible ASCII characters, spaces only between them");
    require(
        !lower.equals("content-type")
            || !FOREIGN_CHARSET.matcher(value.toLowerCase(Locale.ROOT)).matches(),
        field,
        "must name no charset other than utf-8");
  }
}
