package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue with an address: where its deliveries go, what responses mean, and the settings of the
 * queue.
 *
 * @param name the queue's
 * @param version digits that tell one address, with its rules and keys, from another; absent for
 *     who may not read payloads
 * @param url without the values of secret parameters
 * @param method absent for POST
 * @param headers that every delivery has; a secret's value is a mask
 * @param success which responses say that a delivery was made
 * @param successName the preset that this is; absent for another
 * @param classes of responses that are no success, the first that fits counts
 * @param result what is kept of a success as the job's result: JSON Pointers by names; absent for
 *     nothing
 * @param timeout of an attempt whose job has none; absent for the worker's
 * @param circuit when its jobs wait because it fails
 * @param labels by which people know it
 * @param signing the keys with which deliveries are signed, the newest first; none for unsigned
 * @param tls what it has of its own for TLS; absent for nothing
 * @param paused whether nothing of it starts
 * @param pause absent if it is not paused
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
 * @param createdAt when it was made
 * @param health in lists alone
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Destination(
    String name,
    @Nullable String version,
    String url,
    @Nullable String method,
    Map<String, String> headers,
    SuccessRule success,
    @Nullable String successName,
    List<ResponseClass> classes,
    @Nullable Map<String, String> result,
    @Nullable Duration timeout,
    CircuitRule circuit,
    Map<String, String> labels,
    List<SigningKey> signing,
    @Nullable DestinationTls tls,
    boolean paused,
    Queue.@Nullable Pause pause,
    @Nullable Policy policy,
    @Nullable String policyName,
    @Nullable RateLimit rateLimit,
    @Nullable Integer maxConcurrency,
    @Nullable Integer maxDepth,
    @Nullable Integer weight,
    @Nullable Map<String, String> labelsFrom,
    @Nullable Ordering ordering,
    Instant createdAt,
    @Nullable DestinationHealth health) {}
