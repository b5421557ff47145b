package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue and its settings.
 *
 * @param name its name
 * @param configured whether it has settings; without them the defaults apply
 * @param paused whether nothing of it starts
 * @param pause what is known of the pause; absent if it is not paused
 * @param policy for jobs without one of their own; absent for the preset {@code default}
 * @param policyName the stored policy that it follows; absent if that is its own
 * @param rateLimit absent for none, as are {@code maxConcurrency} and {@code maxDepth}
 * @param maxConcurrency how many may run at a time in the whole cluster; {@code null} for no limit
 * @param maxDepth how many that have not ended it may hold before submits are refused; {@code null}
 *     for no limit
 * @param weight its share of a node's slots, in relation to other queues; absent for 1
 * @param labelsFrom JSON Pointers by the names of the labels that its jobs take from their
 *     payloads; absent for none
 * @param ordering what bounds its ordering keys; absent for nothing
 * @param createdAt when its settings were created; absent if it has none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Queue(
    String name,
    boolean configured,
    boolean paused,
    @Nullable Pause pause,
    @Nullable Policy policy,
    @Nullable String policyName,
    @Nullable RateLimit rateLimit,
    @Nullable Integer maxConcurrency,
    @Nullable Integer maxDepth,
    @Nullable Integer weight,
    @Nullable Map<String, String> labelsFrom,
    @Nullable Ordering ordering,
    @Nullable Instant createdAt) {

  /**
   * One of which nothing is stored.
   *
   * @param name its name
   * @return the queue, with every default
   */
  public static Queue unconfigured(String name) {
    return new Queue(
        name, false, false, null, null, null, null, null, null, null, null, null, null);
  }

  /**
   * Since when, by whom, why and until when a queue is paused; what is not known is absent.
   *
   * @param since since when
   * @param by who paused it
   * @param reason why, if they said it
   * @param until when it ends by itself; {@code null} for never
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Pause(
      @Nullable Instant since,
      @Nullable String by,
      @Nullable String reason,
      @Nullable Instant until) {}
}
