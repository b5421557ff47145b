package dev.ebb.worker.http;

import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.RegistryBuilder;

/**
 * Builds the pool of a client whose connections all go through a proxy. The client itself would let
 * the proxy look the names up.
 */
final class ProxiedConnections extends PoolingHttpClientConnectionManagerBuilder {
  private final DeliveryProxy proxy;
  private final Lookups lookups = new Lookups(InetAddress::getAllByName);

  ProxiedConnections(DeliveryProxy proxy) {
    this.proxy = proxy;
  }

  @Override
  protected HttpClientConnectionOperator createConnectionOperator(
      SchemePortResolver ports, DnsResolver resolver, TlsSocketStrategy tls) {
    DetachedSocketFactory sockets =
        new DetachedSocketFactory() {
          @Override
          public Socket create(Proxy socks) {
            return new ProxyTunnel(proxy, lookups);
          }
        };
    return new DefaultHttpClientConnectionOperator(
        sockets,
        ports,
        resolver,
        RegistryBuilder.<TlsSocketStrategy>create().register(URIScheme.HTTPS.id, tls).build());
  }
}
