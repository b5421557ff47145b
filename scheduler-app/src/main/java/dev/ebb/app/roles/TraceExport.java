package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends spans to a collector, as the standard variables {@code OTEL_…} say, if that is set. Whoever
 * makes spans never waits for it: what it cannot send soon enough is dropped.
 */
final class TraceExport implements AutoCloseable {
  /** For how long the last spans may keep a node from its end. */
  private static final int PATIENCE_SECONDS = 5;

  /** Each may be set otherwise. The sender speaks no other protocol. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "otel.exporter.otlp.protocol", "http/protobuf",
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none");

  private static final String NAME = "service.name";

  /** The SDK's words where it has none of its own. */
  private static final String UNEXPECTED = "Unexpected configuration error";

  private final @Nullable OpenTelemetrySdk sdk;
  private final CountDownLatch over = new CountDownLatch(1);

  private TraceExport(@Nullable OpenTelemetrySdk sdk) {
    this.sdk = sdk;
  }

  /**
   * Begins, or does nothing.
   *
   * @throws CannotStart if a variable says what cannot be done
   */
  static TraceExport start(Settings settings) {
    return new TraceExport(settings.exportsTraces() ? newSdk() : null);
  }

  private static OpenTelemetrySdk newSdk() {
    try {
      return AutoConfiguredOpenTelemetrySdk.builder()
          // The node ends before it does.
          .disableShutdownHook()
          .addPropertiesSupplier(() -> DEFAULTS)
          .addPropertiesCustomizer(TraceExport::name)
          .addResourceCustomizer((given, _) -> version().merge(given))
          .addSamplerCustomizer(LinkedSampler::of)
          .build()
          .getOpenTelemetrySdk();
    } catch (ConfigurationException wrong) {
      throw CannotStart.wrongUse("EBB_TRACES=otlp: " + sentence(wrong));
    }
  }

  private static String sentence(ConfigurationException wrong) {
    Throwable cause = wrong.getCause();
    return cause != null && UNEXPECTED.equals(wrong.getMessage())
        ? Objects.requireNonNullElse(cause.getMessage(), cause.toString())
        : String.valueOf(wrong.getMessage());
  }

  /** A name of its own would win over one that is given among other attributes. */
  private static Map<String, String> name(ConfigProperties given) {
    boolean isNamed =
        given.getString("otel." + NAME) != null
            || given.getMap("otel.resource.attributes").containsKey(NAME);
    return isNamed ? Map.of() : Map.of("otel." + NAME, "ebb");
  }

  private static Resource version() {
    String version = TraceExport.class.getPackage().getImplementationVersion();
    return Resource.builder()
        .put("service.version", Objects.requireNonNullElse(version, "unbuilt"))
        .build();
  }

  OpenTelemetry telemetry() {
    return sdk == null ? OpenTelemetry.noop() : sdk;
  }

  /** Has its end, which is under way or comes, wait for nothing. */
  void hurry() {
    over.countDown();
  }

  /** Sends what it has, if that can be sent soon. */
  @Override
  public void close() throws InterruptedException {
    if (sdk != null) {
      sdk.shutdown().whenComplete(over::countDown);
      var _ = over.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
