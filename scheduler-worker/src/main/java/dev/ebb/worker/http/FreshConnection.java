package dev.ebb.worker.http;

import java.io.IOException;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;

/**
 * Sends a request again, once and at once, if the connection was used before and broke before a
 * byte of the answer: its server has most likely closed it meanwhile and never seen the request
 * (RFC 9110, section 9.2.2). If it has, it gets the request twice under one {@code webhook-id}, as
 * it may anyway.
 */
final class FreshConnection implements ExecChainHandler {
  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
      throws IOException, HttpException {
    acquire(scope);
    boolean used = scope.execRuntime.isEndpointConnected();
    try {
      return chain.proceed(request, scope);
    } catch (IOException broken) {
      Findings findings = Exchange.findings();
      if (!used || findings.isAnswering() || scope.execRuntime.isExecutionAborted()) {
        throw broken;
      }
      findings.resend();
    }
    acquire(scope);
    scope.execRuntime.disconnectEndpoint();
    request.setHeaders(scope.originalRequest.getHeaders());
    return chain.proceed(request, scope);
  }

  private static void acquire(ExecChain.Scope scope) throws IOException {
    if (!scope.execRuntime.isEndpointAcquired()) {
      scope.execRuntime.acquireEndpoint(
          scope.exchangeId, scope.route, scope.clientContext.getUserToken(), scope.clientContext);
    }
  }
}
