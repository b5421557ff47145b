package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.core.circuit.CircuitRule;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.tls.TlsSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the deliveries of a queue go, and what holds for each of them. The rules for the text are
 * those of {@link HttpDelivery}.
 *
 * @param url with a query at will
 * @param method {@code null} for {@value HttpDelivery#DEFAULT_METHOD}
 * @param headers that every delivery has, as far as their values are known
 * @param sealedHeaders those whose values are sealed, such as the receiver's own token; with the
 *     others at most {@value HttpDelivery#MAX_HEADERS}
 * @param rules what responses mean
 * @param timeout of an attempt whose job has none, 100 ms to one day; {@code null} for the worker's
 * @param labels by which people know it, as those of a job
 * @param signing the keys with which deliveries are signed, the newest first; at most {@value
 *     SigningKey#MAX}
 * @param circuit when its jobs wait because it fails
 * @param tls what it has of its own for TLS; {@code null} for nothing
 */
public record Destination(
    URI url,
    @Nullable String method,
    Map<String, String> headers,
    Map<String, SealedHeader> sealedHeaders,
    ResponseRules rules,
    @Nullable Duration timeout,
    Map<String, String> labels,
    List<SigningKey> signing,
    CircuitRule circuit,
    @Nullable TlsSettings tls) {
  private static final Duration SHORTEST = Duration.ofMillis(100);

  public Destination {
    url = HttpUrl.parse(url.toString());
    if (method != null) {
      HeaderRules.requireMethod(method);
      require(!method.equals("GET"), "method", "must not be GET, which sends no body");
    }
    sealedHeaders = Map.copyOf(sealedHeaders);
    headers = HeaderRules.checked(headers, HttpDelivery.MAX_HEADERS - sealedHeaders.size());
    if (timeout != null) {
      requireBetween(timeout, SHORTEST, NewJob.MAX_TIMEOUT, "timeout");
    }
    labels = NewJob.checkedLabels(labels);
    signing = List.copyOf(signing);
    require(
        signing.size() <= SigningKey.MAX, "signing", "must be at most " + SigningKey.MAX + " keys");
  }

  /** One whose deliveries are not signed, with the default circuit. */
  public Destination(
      URI url,
      @Nullable String method,
      Map<String, String> headers,
      ResponseRules rules,
      @Nullable Duration timeout,
      Map<String, String> labels) {
    this(
        url,
        method,
        headers,
        Map.of(),
        rules,
        timeout,
        labels,
        List.of(),
        CircuitRule.DEFAULT,
        null);
  }

  /** The same with these keys. */
  public Destination with(List<SigningKey> signing) {
    return new Destination(
        url, method, headers, sealedHeaders, rules, timeout, labels, signing, circuit, tls);
  }

  /** The same with this circuit. */
  public Destination with(CircuitRule circuit) {
    return new Destination(
        url, method, headers, sealedHeaders, rules, timeout, labels, signing, circuit, tls);
  }

  /** The same with this for TLS. */
  public Destination with(@Nullable TlsSettings tls) {
    return new Destination(
        url, method, headers, sealedHeaders, rules, timeout, labels, signing, circuit, tls);
  }

  /** The same with these headers. */
  public Destination with(Map<String, String> headers, Map<String, SealedHeader> sealedHeaders) {
    return new Destination(
        url, method, headers, sealedHeaders, rules, timeout, labels, signing, circuit, tls);
  }

  /** All headers with what people may see of their values, by name. */
  public Map<String, String> shownHeaders() {
    Map<String, String> shown = new TreeMap<>();
    headers.forEach((name, value) -> shown.put(name, Masking.header(name, value)));
    sealedHeaders.forEach((name, value) -> shown.put(name, value.shown()));
    return shown;
  }
}
