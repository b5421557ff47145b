package dev.ebb.api;

import static dev.ebb.core.InvalidInput.require;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What another module serves beside the API, from the same port: pages, for example.
 *
 * @param path one segment such as {@code /ui}; it and all below it are the mount's
 * @param headers of every answer there, refusals included, unless a handler sets its own
 * @param classes Spring's: controllers and configurations, which may ask for whatever the API's own
 *     controllers ask for
 */
public record Mount(String path, Map<String, String> headers, List<Class<?>> classes) {

  private static final Set<String> OWN =
      Set.of("/v1", "/livez", "/startupz", "/readyz", "/metrics");

  public Mount {
    require(
        path.matches("/[a-z]+") && !OWN.contains(path),
        "path",
        "must be a slash and lower-case letters, and not the API's");
    headers = Map.copyOf(headers);
    classes = List.copyOf(classes);
  }
}
