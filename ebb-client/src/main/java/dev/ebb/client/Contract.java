package dev.ebb.client;

import dev.ebb.contract.Lease;
import dev.ebb.contract.LeaseRenewal;
import dev.ebb.contract.LeaseSettlement;
import dev.ebb.contract.LeasedJob;
import dev.ebb.contract.LockedResult;
import dev.ebb.contract.Problem;
import dev.ebb.contract.RefusedResult;
import dev.ebb.contract.RenewedLease;
import dev.ebb.contract.SettledJob;
import dev.ebb.contract.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the contract's records from answers; fields that it does not know are left out. */
final class Contract {
  private Contract() {}

  static Lease lease(Json lease) {
    return new Lease(
        lease.at("lease").string(),
        lease.at("queue").string(),
        Instant.parse(lease.at("expiresAt").string()),
        Duration.parse(lease.at("length").string()),
        lease.at("jobs").list().stream().map(Contract::job).toList());
  }

  private static LeasedJob job(Json job) {
    String timeout = text(job, "timeout");
    return new LeasedJob(
        job.at("id").string(),
        job.at("kind").string(),
        job.at("attempt").number(),
        job.at("maxAttempts").number(),
        job.at("priority").number(),
        payload(job),
        labels(job),
        timeout == null ? null : Duration.parse(timeout),
        Instant.parse(job.at("runAt").string()),
        Instant.parse(job.at("createdAt").string()),
        text(job, "traceparent"));
  }

  /** As it was submitted; null is a payload, too. */
  private static String payload(Json job) {
    Json payload = job.get("payload");
    return payload == null ? "null" : payload.text();
  }

  private static Map<String, String> labels(Json job) {
    Map<String, String> labels = new LinkedHashMap<>();
    job.at("labels").fields().forEach((name, value) -> labels.put(name, value.string()));
    return labels;
  }

  static LeaseRenewal renewal(Json renewal) {
    return new LeaseRenewal(
        renewal.at("renewed").list().stream()
            .map(one ->
                new RenewedLease(
                    one.at("lease").string(), Instant.parse(one.at("expiresAt").string())))
            .toList(),
        renewal.at("lost").list().stream().map(Json::string).toList(),
        renewal.at("cancel").list().stream().map(Json::string).toList(),
        renewal.at("drain").isTrue());
  }

  static LeaseSettlement settlement(Json settlement) {
    return new LeaseSettlement(
        settlement.at("settled").list().stream().map(Contract::settled).toList(),
        settlement.at("refused").list().stream()
            .map(one ->
                new RefusedResult(
                    one.at("lease").string(), one.at("id").string(), one.at("why").string()))
            .toList(),
        settlement.at("locked").list().stream()
            .map(one -> new LockedResult(one.at("lease").string(), one.at("id").string()))
            .toList());
  }

  private static SettledJob settled(Json one) {
    String runAt = text(one, "runAt");
    return new SettledJob(
        one.at("lease").string(),
        one.at("id").string(),
        one.at("became").string(),
        runAt == null ? null : Instant.parse(runAt));
  }

  /** A refusal, of which all but the status may be missing: a proxy may have answered. */
  static Problem problem(int status, boolean isPassing, Json problem) {
    Json retryable = problem.get("retryable");
    Json errors = problem.get("errors");
    return new Problem(
        or(problem, "type", "about:blank"),
        or(problem, "title", ""),
        status,
        or(problem, "detail", "no answer of Ebb's"),
        text(problem, "instance"),
        or(problem, "code", ""),
        isPassing || (retryable != null && retryable.isTrue()),
        text(problem, "existing"),
        text(problem, "traceId"),
        errors == null ? List.of() : errors.list().stream().map(Contract::violation).toList());
  }

  private static Violation violation(Json error) {
    return new Violation(text(error, "pointer"), text(error, "parameter"), or(error, "rule", ""));
  }

  private static @Nullable String text(Json object, String field) {
    Json found = object.get(field);
    return found == null ? null : found.string();
  }

  private static String or(Json object, String field, String absent) {
    String found = text(object, field);
    return found == null ? absent : found;
  }
}
