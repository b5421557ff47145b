package dev.ebb.worker.http;

import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.WebhookId;
import dev.ebb.core.signing.UnsignedRequest;
import dev.ebb.db.trace.Traces;
import dev.ebb.worker.JobContext;
import dev.ebb.worker.http.DeliverySigner.Signed;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/**
 * Makes the request of a delivery. It bears {@code webhook-id}, the same at every attempt (see
 * {@link WebhookId}); {@code webhook-timestamp}, the attempt's time in Unix seconds; to a
 * destination with keys, the headers of their {@link dev.ebb.core.signing.SigningScheme}, and
 * {@code ebb-keys}, the ids of the keys, those of {@code webhook-signature} first and in its order;
 * {@code ebb-job}, the job's id; and {@code ebb-attempt}, the attempt's number from 1. Unless the
 * payload or the destination names a {@code traceparent}, it is that of the attempt, if its span is
 * sampled, else that of the job's submit, if there is one.
 */
final class DeliveryHeaders {
  private static final String TRACE = "traceparent";

  private DeliveryHeaders() {}

  static HttpUriRequestBase request(
      HttpDelivery delivery, UnsignedRequest plain, JobContext context, Signed signed) {
    Job job = context.job();
    HttpUriRequestBase request = new HttpUriRequestBase(delivery.method(), delivery.url());
    if (delivery.body() != null) {
      request.setEntity(new ByteArrayEntity(plain.body(), null));
      request.setHeader("content-type", "application/json");
    }
    delivery.headers().forEach(request::setHeader);
    if (!delivery.headers().containsKey(TRACE)) {
      setTrace(request, Traces.traceparent(), context.traceparent());
    }
    request.setHeader("webhook-id", plain.id());
    request.setHeader("webhook-timestamp", plain.at().getEpochSecond());
    signed.headers().forEach(request::setHeader);
    if (!signed.keys().isEmpty()) {
      request.setHeader("ebb-keys", String.join(" ", signed.keys()));
    }
    request.setHeader("ebb-job", job.id());
    request.setHeader("ebb-attempt", job.attempt());
    return request;
  }

  private static void setTrace(
      HttpUriRequestBase request, @Nullable String attempt, @Nullable String submit) {
    String trace = attempt == null ? submit : attempt;
    if (trace != null) {
      request.setHeader(TRACE, trace);
    }
  }
}
