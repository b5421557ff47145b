package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A link that shows one job's story to whoever has it.
 *
 * @param id its id
 * @param createdBy the name of the token that made it
 * @param createdAt when it was made
 * @param expiresAt when it ends
 * @param path of the page, secret included; shown when it is made, and never again
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobLink(
    String id, String createdBy, Instant createdAt, Instant expiresAt, @Nullable String path) {

  /** Without the secret. */
  @Override
  public String toString() {
    return "JobLink[" + id + "]";
  }
}
