package dev.ebb.api.http;

import dev.ebb.contract.Paged;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.util.UriUtils;

/**
 * The link from a page of a list to the next one (RFC 8288). It is relative to the page: a proxy
 * that serves the API below another path, or under another name, need not rewrite it.
 */
final class NextLink {
  private NextLink() {}

  /** Adds the link if the answer to the request under way is a page that has a next one. */
  static void addTo(HttpHeaders headers, Object body) {
    String cursor = body instanceof Paged page ? page.nextCursor() : null;
    HttpServletRequest request = request();
    if (cursor != null && request != null) {
      headers.set(HttpHeaders.LINK, link(request, cursor));
    }
  }

  private static @Nullable HttpServletRequest request() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes here
        ? here.getRequest()
        : null;
  }

  private static String link(HttpServletRequest request, String cursor) {
    String path = request.getServletPath();
    String last = path.substring(path.lastIndexOf('/') + 1);
    return "<%s?%s>; rel=\"next\""
        .formatted(
            UriUtils.encode(last, StandardCharsets.UTF_8),
            Query.of(request).with("cursor", cursor));
  }
}
