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
 * @param id its name, which leases and attempts give as {@code node}
 * @param role {@code worker} if it runs jobs, {@code api} if it does not
 * @param state running, draining, stopped or lost
 * @param version of Ebb, or of the SDK
 * @param settingsHash the same for nodes with the same settings
 * @param queues that its worker serves; absent for all
 * @param kinds those that it serves
 * @param concurrency how many jobs it runs at a time at most
 * @param inFlight how many it ran at its last heartbeat
 * @param startedAt when it began
 * @param heartbeatAt when it last said that it lives
 * @param stoppedAt when it stopped; {@code null} before
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

  /** {@return whether it says that its own network may be to blame} */
  @JsonIgnore
  public boolean suspectsNetwork() {
    return Boolean.TRUE.equals(networkSuspected);
  }

  /** {@return whether it is a worker that polls over HTTP} */
  @JsonIgnore
  public boolean isPolling() {
    return Boolean.TRUE.equals(polls);
  }

  /**
   * {@return whether it is alive and runs Ebb, so that its settings should be those of the others}
   */
  @JsonIgnore
  public boolean hasComparableSettings() {
    return isAlive() && !isPolling();
  }

  /** {@return whether it runs jobs} */
  @JsonIgnore
  public boolean isWorker() {
    return role.equals("worker");
  }

  /** {@return whether it has been heard of lately and has not stopped} */
  @JsonIgnore
  public boolean isAlive() {
    return state.equals("running") || state.equals("draining");
  }

  /** {@return whether it claims no more} */
  @JsonIgnore
  public boolean isDraining() {
    return state.equals("draining");
  }

  /** {@return whether it was not heard of for too long, and did not say that it stops} */
  @JsonIgnore
  public boolean isLost() {
    return state.equals("lost");
  }
}
