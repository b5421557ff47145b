package dev.ebb.api.jobs.submit;

import dev.ebb.api.http.JsonCopy;
import dev.ebb.core.http.DeliveryRequest;
import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Traceparent;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.submit.Submission;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Hands the trace of a request, its {@code traceparent}, on to the jobs that it submits: each keeps
 * it, and a delivery has it as a header, too, unless it names one itself. One that breaks the rules
 * is ignored, and so is {@code tracestate}, as W3C Trace Context lets it be.
 */
final class TraceContext {
  private static final String HEADER = "traceparent";

  private TraceContext() {}

  /** The submission with the trace of its request. */
  static Submission onto(Submission submission, HttpServletRequest request) {
    String traceparent = of(request);
    if (traceparent == null) {
      return submission;
    }
    return submission.with(
        submission.jobs().stream().map(job -> traced(job, traceparent)).toList());
  }

  private static @Nullable String of(HttpServletRequest request) {
    List<String> given = Collections.list(request.getHeaders(HEADER));
    return given.size() == 1 ? Traceparent.read(given.getFirst()) : null;
  }

  private static NewJob traced(NewJob job, String traceparent) {
    String payload =
        job.kind().equals(DeliveryJson.KIND)
            ? delivery(job.payload(), "\"" + HEADER + "\":\"" + traceparent + "\"")
            : job.payload();
    return job.toBuilder().payload(payload).traceparent(traceparent).build();
  }

  /** The same payload where there is no room. */
  private static String delivery(String payload, String member) {
    DeliveryRequest delivery = DeliveryJson.read(payload);
    if (delivery.headers().containsKey(HEADER)
        || delivery.headers().size() == HttpDelivery.MAX_HEADERS) {
      return payload;
    }
    String longer = withHeader(payload, member);
    return longer.getBytes(StandardCharsets.UTF_8).length > NewJob.MAX_PAYLOAD_BYTES
        ? payload
        : longer;
  }

  private static String withHeader(String payload, String member) {
    try (JsonCopy copy = new JsonCopy(payload)) {
      JsonParser parser = copy.parser();
      parser.nextToken();
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        JsonToken value = parser.nextToken();
        if (name.equals("headers")) {
          add(copy, value, member);
          return copy.finish();
        }
        parser.skipChildren();
      }
    }
    String rest = payload.substring(payload.indexOf('{') + 1);
    String comma = rest.stripLeading().startsWith("}") ? "" : ",";
    return "{\"headers\":{" + member + "}" + comma + rest;
  }

  private static void add(JsonCopy copy, JsonToken headers, String member) {
    if (headers == JsonToken.START_OBJECT) {
      copy.addMember(member);
    } else {
      copy.replace("{" + member + "}");
    }
  }
}
