package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs Ebb.
 *
 * @param role {@code worker} if it runs jobs, {@code api} if it does not
 * @param queues that its worker serves; absent for all
 * @param clockSkew its clock less the database's; absent if it has not told yet
 * @param networkSuspected true if it suspects its own network or resolver; absent otherwise
 * @param polls present and true where it is a worker that polls over HTTP, whose version is what it
 *     calls itself
 * @param missingKeys the ids of keys of secrets that sealed what is stored, and that it has not;
 *     absent for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Node(
    String id,
    String role,
    String state,
    String version,
    String settingsHash,
    @Nullable List<String> queues,
    List<String> kinds,
    int concurrency,
    int inFlight,
    Instant startedAt,
    Instant heartbeatAt,
    @Nullable Instant stoppedAt,
    @Nullable Duration clockSkew,
    @Nullable Boolean networkSuspected,
    @Nullable Boolean polls,
    @Nullable List<String> missingKeys) {

  /** Whether it says that its own network may be to blame. */
  @JsonIgnore
  public boolean suspectsNetwork() {
    return Boolean.TRUE.equals(networkSuspected);
  }

  /** Whether it is a worker that polls over HTTP. */
  @JsonIgnore
  public boolean isPolling() {
    return Boolean.TRUE.equals(polls);
  }

  /** Whether it is alive and runs Ebb, so that its settings should be those of the others. */
  @JsonIgnore
  public boolean hasComparableSettings() {
    return isAlive() && !isPolling();
  }

  /** Whether it runs jobs. */
  @JsonIgnore
  public boolean isWorker() {
    return role.equals("worker");
  }

  /** Whether it has been heard of lately and has not stopped. */
  @JsonIgnore
  public boolean isAlive() {
    return state.equals("running") || state.equals("draining");
  }

  /** Whether it claims no more. */
  @JsonIgnore
  public boolean isDraining() {
    return state.equals("draining");
  }

  @JsonIgnore
  public boolean isLost() {
    return state.equals("lost");
  }
}
