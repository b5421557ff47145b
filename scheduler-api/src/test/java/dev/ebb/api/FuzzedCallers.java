package dev.ebb.api;

import static java.util.Objects.requireNonNull;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.FuzzedRequests.Operation;
import dev.ebb.core.access.Scope;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Callers with tokens of all kinds, right and wrong, by a seed. */
final class FuzzedCallers {
  /**
   * Names begin so where a token must outlast what the requests do, and what empties the tables.
   */
  static final String KEPT = "fuzz ";

  private static final String REVOKED = KEPT + "revoked";
  private static final List<Scope> ALL = List.of(Scope.values());

  private final ApiServer open;
  private final SplittableRandom random;
  private final Map<String, String> tokens = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();

  /**
   * Makes the tokens.
   *
   * @param open an API that asks for none
   */
  FuzzedCallers(ApiServer open, long seed) {
    this.open = open;
    this.random = new SplittableRandom(seed);
    for (Scope scope : ALL) {
      make(only(scope.word()), List.of(scope));
      make(lacking(scope.word()), ALL.stream().filter(other -> other != scope).toList());
    }
    make(KEPT + "expired", ALL);
    open.execute("update ebb.token set expires_at = now() where name = 'fuzz expired'");
    make(REVOKED, ALL);
    open.execute("update ebb.token set revoked_at = now() where name = 'fuzz revoked'");
  }

  /**
   * Who sends a request.
   *
   * @param refusal the status with which the operation is to refuse it: 401 without a live token,
   *     403 without the scope; 0 if it may ask
   */
  record Caller(String name, String token, int refusal) {
    HttpRequest.Builder onto(HttpRequest.Builder request) {
      return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }
  }

  private void make(String name, List<Scope> scopes) {
    String words = String.join("\",\"", Scope.words(scopes));
    Reply made =
        open.post("/v1/tokens", "{\"name\":\"%s\",\"scopes\":[\"%s\"]}".formatted(name, words));
    if (made.status() != 201) {
      throw new IllegalStateException(made.body());
    }
    tokens.put(name, made.field("token"));
  }

  private static String only(String scope) {
    return KEPT + "only " + scope;
  }

  private static String lacking(String scope) {
    return KEPT + "all but " + scope;
  }

  /** How many requests each kind of caller has sent. */
  Map<String, Integer> counts() {
    return counts;
  }

  /** One for the operation: about half have a right token. */
  Caller next(Operation operation) {
    int unknown = operation.described().path("security").isEmpty() ? 0 : 401;
    List<String> scopes = operation.scopes();
    String kind =
        pick("none", "wrong", "expired", "revoked", "narrow", "right", "right", "right", "admin");
    counts.merge(kind, 1, Integer::sum);
    return switch (kind) {
      case "none" -> new Caller(kind, "", unknown);
      case "wrong" -> new Caller(kind, wrong(), unknown);
      case "expired" -> new Caller(kind, token(KEPT + "expired"), unknown);
      case "revoked" -> new Caller(kind, token(REVOKED), unknown);
      case "narrow" -> scopes.isEmpty() ? admin() : narrow(scopes.getFirst());
      case "right" ->
          scopes.size() == 1 ? new Caller(kind, token(only(scopes.getFirst())), 0) : admin();
      default -> admin();
    };
  }

  private String token(String name) {
    return requireNonNull(tokens.get(name));
  }

  private static Caller admin() {
    return new Caller("admin", ApiServer.ADMIN, 0);
  }

  private Caller narrow(String scope) {
    List<String> others =
        new ArrayList<>(ALL.stream().map(Scope::word).filter(word -> !word.equals(scope)).toList());
    String name =
        random.nextBoolean() ? lacking(scope) : only(others.get(random.nextInt(others.size())));
    return new Caller("narrow", token(name), 403);
  }

  private String wrong() {
    String live = token(only(Scope.JOBS_READ.word()));
    return pick(
        "x",
        ApiServer.ADMIN + "2",
        live.substring(0, live.length() - 1) + (live.endsWith("0") ? "1" : "0"),
        "ebb_00000000_00000000000000000000000000000000",
        live + " " + live);
  }

  private String pick(String... choices) {
    return Arrays.asList(choices).get(random.nextInt(choices.length));
  }
}
