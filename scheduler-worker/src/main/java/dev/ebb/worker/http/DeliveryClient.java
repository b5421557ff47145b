package dev.ebb.worker.http;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.DefaultConnectionKeepAliveStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.ssl.TLS;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Builds the client, with everything off that would send what was not asked for: redirects,
 * cookies, retries, authentication, protocol upgrades, compression, proxies from the environment.
 *
 * <p>The pool never makes a delivery wait: the worker already bounds how many run, so a merchant
 * that holds all its connections holds nobody else's. An idle connection is kept for {@value
 * #IDLE_SECONDS} s, less than the five that common servers give, and looked at before each use, for
 * a millisecond. One that the server closes just then is replaced by {@link FreshConnection}. No
 * more than {@value #IDLE_PER_SLOT} for each delivery that may run are idle: thousands of
 * destinations that get some jobs at a time would use up the files that a process may open.
 *
 * <p>A connection that was made with a destination's own {@link TlsIdentity} is used again for that
 * alone: the pool takes the identity for the state of the connection.
 */
final class DeliveryClient {
  private static final int CONNECTIONS_PER_ROUTE = 100_000;
  private static final int CONNECT_SECONDS = 10;
  private static final int IDLE_SECONDS = 4;
  private static final int IDLE_PER_SLOT = 4;

  /** Of lines between and behind chunks; those of the head are {@link HeadParser}'s. */
  private static final int MAX_LINE = 4 * 1024;

  /**
   * Of each of a connection's three buffers, which it keeps while it is idle: the client's default
   * of 32 KiB costs 100 MB for a thousand connections.
   */
  private static final int BUFFER_BYTES = 4 * 1024;

  /** Of headers that follow a chunked body: the connection counts them, and not their bytes. */
  private static final int MAX_TRAILERS = 4;

  private DeliveryClient() {}

  static CloseableHttpClient build(
      GuardedResolver resolver, SSLContext tls, HttpHandlerConfig config, String userAgent) {
    int mostIdle = IDLE_PER_SLOT * config.concurrency();
    AtomicInteger idle = new AtomicInteger();
    return HttpClients.custom()
        .setConnectionManager(connections(resolver, tls, config.proxy(), idle))
        .setDefaultRequestConfig(requests())
        .setKeepAliveStrategy(DeliveryClient::keepAlive)
        .setConnectionReuseStrategy((request, response, context) ->
            idle.get() < mostIdle && isReusable(request, response, context))
        .evictIdleConnections(TimeValue.ofSeconds(IDLE_SECONDS))
        .addRequestInterceptorLast(
            (request, _, context) -> Exchange.of(context).sending(request.getHeaders()))
        .addExecInterceptorBefore(
            ChainElement.CONNECT.name(), "ebb-fresh-connection", new FreshConnection())
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableContentCompression()
        .disableAuthCaching()
        .disableConnectionState()
        .setUserAgent(userAgent)
        .build();
  }

  private static PoolingHttpClientConnectionManager connections(
      GuardedResolver resolver, SSLContext tls, @Nullable DeliveryProxy proxy, AtomicInteger idle) {
    PoolingHttpClientConnectionManagerBuilder builder =
        proxy == null
            ? PoolingHttpClientConnectionManagerBuilder.create()
            : new ProxiedConnections(proxy);
    return builder
        .setDnsResolver(resolver)
        .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
        .setMaxConnPerRoute(CONNECTIONS_PER_ROUTE)
        .setMaxConnTotal(CONNECTIONS_PER_ROUTE)
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(Timeout.ofSeconds(CONNECT_SECONDS))
                .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                .setIdleTimeout(Timeout.ofSeconds(IDLE_SECONDS))
                .build())
        .setConnectionFactory(socket -> connection(socket, idle))
        .setTlsSocketStrategy(secured(tls))
        .build();
  }

  private static TlsSocketStrategy secured(SSLContext usual) {
    TlsSocketStrategy strategy = strategy(usual);
    return (socket, target, port, attachment, context) -> {
      Exchange exchange = Exchange.of(context);
      exchange.securing(socket);
      TlsIdentity own = exchange.identity();
      return (own == null ? strategy : own.strategy())
          .upgrade(socket, target, port, attachment, context);
    };
  }

  static TlsSocketStrategy strategy(SSLContext tls) {
    return ClientTlsStrategyBuilder.create()
        .setSslContext(tls)
        .setTlsVersions(TLS.V_1_2, TLS.V_1_3)
        .buildClassic();
  }

  private static DeliveryConnection connection(@Nullable Socket socket, AtomicInteger idle)
      throws IOException {
    // The client gives up at this count, not beyond it.
    DeliveryConnection connection =
        new DeliveryConnection(
            Http1Config.custom()
                .setBufferSize(BUFFER_BYTES)
                .setMaxLineLength(MAX_LINE)
                .setMaxHeaderCount(MAX_TRAILERS + 1)
                .build(),
            idle);
    if (socket != null) {
      connection.bind(socket);
    }
    return connection;
  }

  /** Readers of an odd answer may not agree on where it ends: nothing may follow it. */
  private static boolean isReusable(
      HttpRequest request, HttpResponse response, HttpContext context) {
    return Exchange.of(context).isRegular()
        && DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context);
  }

  private static RequestConfig requests() {
    return RequestConfig.custom()
        .setRedirectsEnabled(false)
        .setAuthenticationEnabled(false)
        .setContentCompressionEnabled(false)
        .setExpectContinueEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .build();
  }

  /** As long as the server says, if that is shorter: half a second less, for the way. */
  static TimeValue keepAlive(HttpResponse response, HttpContext context) {
    long said =
        DefaultConnectionKeepAliveStrategy.INSTANCE
            .getKeepAliveDuration(response, context)
            .toMilliseconds();
    return TimeValue.ofMilliseconds(
        Math.clamp(said - 500, 1, TimeUnit.SECONDS.toMillis(IDLE_SECONDS)));
  }
}
