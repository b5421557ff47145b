package dev.ebb.worker.http;

import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.WebhookId;
import dev.ebb.core.signing.UnsignedRequest;
import dev.ebb.worker.http.DeliverySigner.Signed;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/**
 * Makes the request of a delivery. It bears {@code webhook-id}, the same at every attempt (see
 * {@link WebhookId}); {@code webhook-timestamp}, the attempt's time in Unix seconds; to a
 * destination with keys, the headers of their {@link dev.ebb.core.signing.SigningScheme}, and
 * {@code ebb-keys}, the ids of the keys, those of {@code webhook-signature} first and in its order;
 * {@code ebb-job}, the job's id; and {@code ebb-attempt}, the attempt's number from 1.
 */
final class DeliveryHeaders {
  private DeliveryHeaders() {}

  static HttpUriRequestBase request(
      HttpDelivery delivery, UnsignedRequest plain, Job job, Signed signed) {
    HttpUriRequestBase request = new HttpUriRequestBase(delivery.method(), delivery.url());
    if (delivery.body() != null) {
      request.setEntity(new ByteArrayEntity(plain.body(), null));
      request.setHeader("content-type", "application/json");
    }
    delivery.headers().forEach(request::setHeader);
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
}
