package dev.ebb.worker.http;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.db.TestSecrets;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;

/** A handler that may reach loopback, and what a test asks of it. */
final class Deliveries implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final Duration LONG = Duration.ofSeconds(20);

  /** With name servers. */
  private static final Duration PATIENCE = Duration.ofMillis(2_500);

  final HttpHandler handler;
  private final AtomicLong nanos = new AtomicLong();
  private FakeContext last = new FakeContext("", 1, LONG);

  Deliveries() {
    this(HttpHandlerConfig.defaults().withAllow("127.0.0.0/8, ::1"));
  }

  Deliveries(HttpHandlerConfig config) {
    this(config, InetAddress::getAllByName);
  }

  Deliveries(HttpHandlerConfig config, Lookups.Resolver resolver) {
    this(config, new AddressRules(AllowList.parse(config.allow())), resolver);
  }

  Deliveries(HttpHandlerConfig config, GuardedResolver.Guard guard, Lookups.Resolver resolver) {
    this(config, guard, resolver, DeliveryTls.context(null));
  }

  Deliveries(
      HttpHandlerConfig config,
      GuardedResolver.Guard guard,
      Lookups.Resolver resolver,
      SSLContext tls) {
    GuardedResolver guarded =
        new GuardedResolver(guard, new Lookups(resolver, PATIENCE, nanos::get));
    handler = new HttpHandler(config, TestSecrets.BOX, guarded, tls, InstantSource.fixed(NOW));
  }

  /** Lets time pass for what is remembered of names. */
  void tick(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  static String payload(String url) {
    return "{\"url\":\"" + url + "\",\"body\":{\"order\":7}}";
  }

  Outcome deliver(String url) {
    return run(payload(url), LONG);
  }

  Outcome deliver(String url, Duration remaining) {
    return run(payload(url), remaining);
  }

  Outcome run(String payload, Duration remaining) {
    FakeContext context = new FakeContext(payload, 3, remaining);
    last = context;
    return run(context);
  }

  Outcome run(FakeContext context) {
    try {
      return handler.run(context);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** What was recorded of the last delivery. */
  JsonNode record() {
    return last.record();
  }

  /** The reasons of the faults that were recorded of the last answer. */
  List<String> faults() {
    List<String> reasons = new ArrayList<>();
    record()
        .path("response")
        .path("faults")
        .forEach(fault -> reasons.add(fault.path("reason").stringValue()));
    return reasons;
  }

  String recordText() {
    return String.valueOf(last.recorded);
  }

  static Failure failure(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed failed -> failed.failure();
      case Outcome.Fatal fatal -> fatal.failure();
      case Outcome.Throttled throttled -> throttled.failure();
      case Outcome.Completed _, Outcome.NotReady _, Outcome.Cancelled _, Outcome.GivenBack _ ->
          throw new AssertionError("no failure: " + outcome);
    };
  }

  static String reason(Outcome outcome) {
    return failure(outcome).reason();
  }

  @Override
  public void close() {
    handler.close();
  }
}
