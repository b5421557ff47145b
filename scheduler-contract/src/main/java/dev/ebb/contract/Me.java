package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param name the name of the token
 * @param role the role that the token was made with; {@code null} for none
 * @param scopes what it may do
 * @param queues from which its token may take jobs; absent for all
 * @param expiresAt when its token does; absent for never
 * @param readOnly whether this node refuses every change
 * @param startPaused whether nothing runs until people resume the cluster's start
 * @param payloadMask what this node hides of payloads from those without {@code payload:read}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Me(
    String name,
    @Nullable String role,
    List<String> scopes,
    @Nullable List<String> queues,
    @Nullable Instant expiresAt,
    boolean readOnly,
    boolean startPaused,
    List<String> payloadMask) {

  /**
   * Whether it has a scope.
   *
   * @param scope such as {@code jobs:read}
   * @return true if it has
   */
  public boolean has(String scope) {
    return scopes.contains(scope);
  }

  /**
   * Whether it has a scope, and this node lets it be used.
   *
   * @param scope such as {@code jobs:read}
   * @return true if it may
   */
  public boolean may(String scope) {
    return has(scope) && (!readOnly || scope.endsWith(":read"));
  }
}
