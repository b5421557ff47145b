package dev.ebb.api.jobs.submit;

import dev.ebb.api.http.JsonCopy;
import dev.ebb.core.http.DeliveryRequest;
import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.submit.Submission;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Hands the trace of a request on to the deliveries that it submits: its {@code traceparent} (W3C
 * Trace Context, section 3.2) becomes a header of each, unless the delivery names one itself. One
 * that breaks the rules of version 00 is ignored, as that asks.
 */
final class TraceContext {
  private static final String HEADER = "traceparent";
  private static final Pattern VALID =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private TraceContext() {}

  /** The submission with the trace of its request. */
  static Submission onto(Submission submission, HttpServletRequest request) {
    List<String> given = Collections.list(request.getHeaders(HEADER));
    if (given.size() != 1 || !VALID.matcher(given.getFirst()).matches()) {
      return submission;
    }
    String member = "\"" + HEADER + "\":\"" + given.getFirst() + "\"";
    List<NewJob> jobs = submission.jobs().stream().map(job -> traced(job, member)).toList();
    return new Submission(jobs, submission.strict(), submission.key(), submission.named());
  }

  /** The same job where there is no room. */
  private static NewJob traced(NewJob job, String member) {
    if (!job.kind().equals(DeliveryJson.KIND)) {
      return job;
    }
    DeliveryRequest delivery = DeliveryJson.read(job.payload());
    if (delivery.headers().containsKey(HEADER)
        || delivery.headers().size() == HttpDelivery.MAX_HEADERS) {
      return job;
    }
    String payload = withHeader(job.payload(), member);
    return payload.getBytes(StandardCharsets.UTF_8).length > NewJob.MAX_PAYLOAD_BYTES
        ? job
        : job.toBuilder().payload(payload).build();
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
