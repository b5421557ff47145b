package dev.ebb.api.access;

import static dev.ebb.core.InvalidInput.require;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the API asks for tokens, what it hides from whom, how often callers may ask, from the
 * pages of which sites, and whether they may change anything.
 *
 * @param open whether anybody may do everything
 * @param adminToken a token that needs no row and may do everything, {@value #LEAST} to {@value
 *     #MOST} visible ASCII characters; {@code null} for none
 * @param masked what of a payload is hidden from callers without {@code payload:read}: JSON
 *     Pointers, in which {@code *} stands for any name or index; the empty one is the whole payload
 * @param requestsPerMinute of each caller at each process, 1 to 1,000,000; {@code null} for any
 *     number
 * @param origins of other sites whose pages may ask, such as {@code https://ops.example.com}
 * @param readOnly whether every change is refused, whatever the token
 * @param cardNumbers what happens to the numbers of payment cards, whatever the token
 */
public record AccessConfig(
    boolean open,
    @Nullable String adminToken,
    List<String> masked,
    @Nullable Integer requestsPerMinute,
    List<String> origins,
    boolean readOnly,
    CardNumberRule cardNumbers) {
  private static final int LEAST = 32;
  private static final int MOST = 200;

  public AccessConfig {
    require(
        adminToken == null || adminToken.matches("[!-~]{" + LEAST + "," + MOST + "}"),
        "adminToken",
        "must be " + LEAST + " to " + MOST + " visible ASCII characters without spaces");
    masked = List.copyOf(masked);
    masked.forEach(pointer ->
        require(
            pointer.matches("(/([^~]|~[01])*)?"),
            "masked",
            "must be JSON Pointers such as /card/number, or /items/*/price"));
    require(
        requestsPerMinute == null || (requestsPerMinute >= 1 && requestsPerMinute <= 1_000_000),
        "requestsPerMinute",
        "must be between 1 and 1000000");
    origins = List.copyOf(origins);
    origins.forEach(origin ->
        require(
            isOrigin(origin),
            "origins",
            "must be origins such as https://ops.example.com or https://ops.example.com:8443"));
  }

  private static boolean isOrigin(String text) {
    return text.matches("https?://([a-z0-9.-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");
  }

  /** Asks for tokens, and limits neither requests nor adds sites. */
  public static AccessConfig of(@Nullable String adminToken, List<String> masked) {
    return new AccessConfig(
        false, adminToken, masked, null, List.of(), false, CardNumberRule.ALLOW);
  }

  /** The same with a limit for each caller. */
  public AccessConfig withRequestsPerMinute(@Nullable Integer requestsPerMinute) {
    return new AccessConfig(
        open, adminToken, masked, requestsPerMinute, origins, readOnly, cardNumbers);
  }

  /** The same for the pages of these sites too. */
  public AccessConfig withOrigins(List<String> origins) {
    return new AccessConfig(
        open, adminToken, masked, requestsPerMinute, origins, readOnly, cardNumbers);
  }

  /** The same, where nobody may change anything, or those with the scopes for it. */
  public AccessConfig withReadOnly(boolean readOnly) {
    return new AccessConfig(
        open, adminToken, masked, requestsPerMinute, origins, readOnly, cardNumbers);
  }

  /** The same with another rule for the numbers of payment cards. */
  public AccessConfig withCardNumbers(CardNumberRule cardNumbers) {
    return new AccessConfig(
        open, adminToken, masked, requestsPerMinute, origins, readOnly, cardNumbers);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return ("AccessConfig[open=%s, masked=%s, requestsPerMinute=%s, origins=%s, readOnly=%s,"
            + " cardNumbers=%s]")
        .formatted(open, masked, requestsPerMinute, origins, readOnly, cardNumbers);
  }

  /** Tokens are asked for, and whole payloads are hidden. */
  public static AccessConfig closed() {
    return of(null, List.of(""));
  }

  /** Anybody who reaches the API may do everything. */
  public static AccessConfig openToAll() {
    return new AccessConfig(true, null, List.of(), null, List.of(), false, CardNumberRule.ALLOW);
  }
}
