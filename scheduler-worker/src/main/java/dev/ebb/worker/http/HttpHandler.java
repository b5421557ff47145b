package dev.ebb.worker.http;

import dev.ebb.core.Durations;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.DeliveryRequest;
import dev.ebb.core.http.DeliveryResponse;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.http.ResponseClassifier;
import dev.ebb.core.http.Verdict;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.WebhookId;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.UnsignedRequest;
import dev.ebb.db.json.DeliveryJson;
import dev.ebb.db.json.DestinationJson;
import dev.ebb.db.json.JsonValues;
import dev.ebb.worker.Handler;
import dev.ebb.worker.JobContext;
import dev.ebb.worker.http.DeliverySigner.Signed;
import dev.ebb.worker.http.Secured.Ready;
import dev.ebb.worker.http.Secured.Unsent;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the payload of a job over HTTP: see {@link DeliveryJson} for the payload, {@link
 * ResponseClassifier} for the outcome of each answer, and this package for the course of an
 * attempt.
 *
 * <p>{@link DeliveryHeaders} says what a request bears besides its payload. A redirect is never
 * followed.
 *
 * <p>The job's policy says how soon a throttled or failed delivery is made again: a wait that was
 * asked for is cut to the policy's longest delay. No retry comes within 100 ms of a failure, so
 * that a policy whose delays are zero does not hammer its destination.
 *
 * <p>No host has more than half of the worker's slots: an attempt beyond that comes back after 0.5
 * to 1.5 s and spends nothing, as does one whose name finds no thread to be looked up on.
 *
 * <p>Both http and https are delivered to; with https the certificate and the name are always
 * verified, by a destination's own authorities where it has some. An address that is neither public
 * nor allowed is fatal, {@code address_refused}.
 */
public final class HttpHandler implements Handler, AutoCloseable {

  /** The exchange ends this part of the attempt's time early, so that its end can be recorded. */
  private static final int MARGIN_DIVISOR = 20;

  private static final Duration MAX_MARGIN = Duration.ofMillis(250);
  private static final Duration SHORTEST_RETRY = Duration.ofMillis(100);
  private static final ResponseClassifier CLASSIFIER = new ResponseClassifier(JsonValues::at);

  private final HttpHandlerConfig config;
  private final DeliverySigner signer;
  private final TlsIdentities identities;
  private final HeaderOpener headers;
  private final InstantSource clock;
  private final CloseableHttpClient client;
  private final Destinations destinations;

  /** One that signs nothing: deliveries to a destination with keys wait for another node. */
  public HttpHandler(HttpHandlerConfig config) {
    this(config, SecretBox.NONE);
  }

  /**
   * Starts with connections to nobody.
   *
   * @param box opens the secrets of destinations
   */
  public HttpHandler(HttpHandlerConfig config, SecretBox box) {
    this(
        config,
        box,
        new GuardedResolver(
            new AddressRules(AllowList.parse(config.allow())),
            new Lookups(InetAddress::getAllByName)),
        DeliveryTls.context(null),
        InstantSource.system());
  }

  HttpHandler(
      HttpHandlerConfig config,
      SecretBox box,
      GuardedResolver resolver,
      SSLContext tls,
      InstantSource clock) {
    this.config = config;
    this.signer = new DeliverySigner(box);
    this.identities = new TlsIdentities(box);
    this.headers = new HeaderOpener(box);
    this.clock = clock;
    this.destinations = new Destinations(config.concurrency());
    this.client = DeliveryClient.build(resolver, tls, config, "Ebb/" + version());
  }

  @Override
  public Duration timeout() {
    return config.timeout();
  }

  @Override
  public Duration longestTimeout() {
    return config.longestTimeout();
  }

  @Override
  public String settings() {
    return config + " " + signer.keys();
  }

  @Override
  public List<String> secretsKeys() {
    return signer.keys();
  }

  @Override
  public Duration shortestRetry() {
    return SHORTEST_RETRY;
  }

  @Override
  public Outcome run(JobContext context) throws InterruptedException {
    Job job = context.job();
    DeliveryRequest request;
    try {
      request = DeliveryJson.read(job.payload());
    } catch (InvalidInput unreadable) {
      return unreadable(unreadable);
    }
    if (request.url() != null) {
      return deliver(request, null, context);
    }
    Destination destination = DestinationJson.stored(job.destination());
    if (destination == null) {
      return NoAnswer.noDestination(job.queue());
    }
    return switch (headers.open(job.queue(), destination)) {
      case Unsent(Outcome outcome) -> outcome;
      case Ready(Destination opened) -> deliver(request, opened, context);
    };
  }

  private static Outcome unreadable(InvalidInput payload) {
    return new Outcome.Fatal(
        new Failure(Failure.UNREADABLE_PAYLOAD, String.valueOf(payload.getMessage())));
  }

  private Outcome deliver(
      DeliveryRequest request, @Nullable Destination destination, JobContext context)
      throws InterruptedException {
    HttpDelivery delivery;
    try {
      delivery = request.to(destination);
    } catch (InvalidInput unreadable) {
      return unreadable(unreadable);
    }
    String host = delivery.url().getHost().toLowerCase(Locale.ROOT);
    if (!destinations.enter(host)) {
      return NoAnswer.gaveWay();
    }
    try {
      return secured(delivery, destination, context);
    } finally {
      destinations.leave(host);
    }
  }

  private Outcome secured(
      HttpDelivery delivery, @Nullable Destination destination, JobContext context)
      throws InterruptedException {
    return switch (identities.of(context.job().queue(), destination)) {
      case Unsent(Outcome outcome) -> outcome;
      case Ready(Optional<TlsIdentity> identity) ->
          deliver(delivery, destination, identity.orElse(null), context);
    };
  }

  private Outcome deliver(
      HttpDelivery delivery,
      @Nullable Destination destination,
      @Nullable TlsIdentity identity,
      JobContext context)
      throws InterruptedException {
    Job job = context.job();
    UnsignedRequest plain =
        new UnsignedRequest(
            WebhookId.of(job.id()),
            clock.instant(),
            Nonce.random(),
            delivery.method(),
            delivery.url(),
            body(delivery));
    return switch (signed(destination, job, plain)) {
      case Unsent(Outcome outcome) -> outcome;
      case Ready(Signed signed) -> {
        HttpUriRequestBase request = DeliveryHeaders.request(delivery, plain, context, signed);
        boolean testsBody = delivery.rules().testsBody();
        Sent sent = sent(delivery, signed, destination == null ? null : job);
        yield run(sent, new Exchange(client, request, testsBody, identity), context);
      }
    };
  }

  private static Sent sent(HttpDelivery delivery, Signed signed, @Nullable Job toItsQueue) {
    return new Sent(
        delivery,
        signed.keys(),
        toItsQueue == null ? null : toItsQueue.queue(),
        toItsQueue == null ? null : DestinationJson.version(toItsQueue.destination()));
  }

  private Outcome run(Sent sent, Exchange exchange, JobContext context)
      throws InterruptedException {
    HttpDelivery delivery = sent.delivery();
    try {
      Outcome outcome =
          exchange.run(limit(context.remaining()), response -> verdict(delivery, response));
      context.record(AttemptRecord.of(sent, exchange, outcome));
      return outcome;
    } catch (InterruptedException interrupted) {
      context.record(AttemptRecord.of(sent, exchange, NoAnswer.interrupted()));
      throw interrupted;
    }
  }

  private Secured<Signed> signed(
      @Nullable Destination destination, Job job, UnsignedRequest plain) {
    return destination == null
        ? new Ready<>(Signed.NOT)
        : signer.sign(job.queue(), destination, plain);
  }

  private static byte[] body(HttpDelivery delivery) {
    return delivery.body() == null ? new byte[0] : delivery.body().getBytes(StandardCharsets.UTF_8);
  }

  private Verdict verdict(HttpDelivery delivery, Response response) {
    Duration wait = RetryAfter.of(response, clock.instant()).orElse(null);
    Response.Tested body = response.tested();
    return CLASSIFIER.judge(
        delivery.rules(),
        new DeliveryResponse(
            response.status(), wait, response.asksToStop(), body.text(), body.cut()));
  }

  private static Duration limit(Duration remaining) {
    Duration margin = remaining.dividedBy(MARGIN_DIVISOR);
    return remaining.minus(Durations.min(margin, MAX_MARGIN));
  }

  private static String version() {
    return Objects.requireNonNullElse(
        HttpHandler.class.getPackage().getImplementationVersion(), "dev");
  }

  /** Closes all connections; exchanges that still run are cut. */
  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }
}
