package dev.ebb.api.access;

import static dev.ebb.core.InvalidInput.require;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the API asks for tokens, and what it hides from whom.
 *
 * @param open whether anybody may do everything
 * @param adminToken a token that needs no row and may do everything, {@value #LEAST} to {@value
 *     #MOST} visible ASCII characters; {@code null} for none
 * @param masked what of a payload is hidden from callers without {@code payload:read}: JSON
 *     Pointers, in which {@code *} stands for any name or index; the empty one is the whole payload
 */
public record AccessConfig(boolean open, @Nullable String adminToken, List<String> masked) {
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
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "AccessConfig[open=" + open + ", masked=" + masked + "]";
  }

  /** Tokens are asked for, and whole payloads are hidden. */
  public static AccessConfig closed() {
    return new AccessConfig(false, null, List.of(""));
  }

  /** Anybody who reaches the API may do everything. */
  public static AccessConfig openToAll() {
    return new AccessConfig(true, null, List.of());
  }
}
