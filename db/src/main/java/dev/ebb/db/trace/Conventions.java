package dev.ebb.db.trace;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;

/**
 * The names in spans, as of version 1.45 of OpenTelemetry's conventions for messaging. They may
 * change until those are stable, so they stand here alone.
 */
final class Conventions {
  /** Who makes the spans. */
  static final String SCOPE = "dev.ebb";

  static final AttributeKey<String> SYSTEM = stringKey("messaging.system");
  static final AttributeKey<String> OPERATION_NAME = stringKey("messaging.operation.name");
  static final AttributeKey<String> OPERATION_TYPE = stringKey("messaging.operation.type");
  static final AttributeKey<String> DESTINATION = stringKey("messaging.destination.name");
  static final AttributeKey<String> MESSAGE_ID = stringKey("messaging.message.id");
  static final AttributeKey<Long> MESSAGE_COUNT = longKey("messaging.batch.message_count");
  static final AttributeKey<String> CLIENT_ID = stringKey("messaging.client.id");
  static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");

  /** What the conventions have no name for. */
  static final AttributeKey<String> JOB_KIND = stringKey("ebb.job.kind");

  static final AttributeKey<Boolean> SUBMIT_STORED = booleanKey("ebb.submit.stored");
  static final AttributeKey<Long> JOB_ATTEMPT = longKey("ebb.job.attempt");
  static final AttributeKey<String> JOB_OUTCOME = stringKey("ebb.job.outcome");

  /** The value of {@link #SYSTEM}. */
  static final String EBB = "ebb";

  /** What is done with jobs: in our word, and in the conventions'. */
  enum Operation {
    SUBMIT("submit", "send", SpanKind.PRODUCER),
    CLAIM("claim", "receive", SpanKind.CLIENT),
    ATTEMPT("attempt", "process", SpanKind.CONSUMER),
    SETTLE("settle", "settle", SpanKind.CLIENT);

    final String word;
    final String type;
    final SpanKind kind;

    Operation(String word, String type, SpanKind kind) {
      this.word = word;
      this.type = type;
      this.kind = kind;
    }
  }

  private Conventions() {}
}
