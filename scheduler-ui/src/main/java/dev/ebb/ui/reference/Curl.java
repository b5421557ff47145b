package dev.ebb.ui.reference;

import dev.ebb.ui.json.Json;
import dev.ebb.ui.words.Shell;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A command that asks for an operation, for a POSIX shell. Words in capitals stand for what the
 * caller has to name.
 *
 * @param rest what follows the address and the token
 */
public record Curl(String start, String path, boolean needsToken, String rest) {
  private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

  static Curl of(OpenApi api, String method, String path, JsonNode operation) {
    String verb = method.equals("get") ? "" : " -X " + method.toUpperCase(Locale.ROOT);
    boolean isStream =
        operation.path("responses").path("200").path("content").has("text/event-stream");
    return new Curl(
        "curl" + (isStream ? " -N" : "") + verb,
        VARIABLE.matcher(path).replaceAll(name -> name.group(1).toUpperCase(Locale.ROOT)),
        !operation.path("security").isEmpty(),
        body(api, api.resolved(operation.path("requestBody"))));
  }

  /** The first example of a body; nothing where the contract has none and a request needs none. */
  private static String body(OpenApi api, JsonNode described) {
    for (Map.Entry<String, JsonNode> content : described.path("content").properties()) {
      JsonNode body = example(api, content.getValue(), described.path("required").asBoolean(false));
      if (!body.isMissingNode()) {
        return " -H "
            + Shell.quoted("Content-Type: " + content.getKey())
            + " -d "
            + Shell.quoted(Json.text(body));
      }
    }
    return "";
  }

  private static JsonNode example(OpenApi api, JsonNode content, boolean isRequired) {
    for (JsonNode own : content.path("examples")) {
      return own.path("value");
    }
    JsonNode schema = api.resolved(content.path("schema"));
    return schema.path("examples").path(isRequired ? 0 : -1);
  }

  /**
   * The command.
   *
   * @param origin the server's address
   * @param asksForTokens whether it does so at all
   */
  public String text(String origin, boolean asksForTokens) {
    String token = needsToken && asksForTokens ? " -H \"Authorization: Bearer $EBB_TOKEN\"" : "";
    return start + " " + Shell.quoted(origin + path) + token + rest;
  }
}
