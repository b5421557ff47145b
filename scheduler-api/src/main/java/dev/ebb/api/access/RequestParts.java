package dev.ebb.api.access;

import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.Query;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Gives a handler the parts of a request that it declares: its {@link Query}, {@link Caller},
 * {@link Conditions}, {@link JsonObject body}, sender's address and {@link Liveness}. A handler
 * that declares no more can be asked by a page of this process as well, without a request over
 * HTTP.
 */
public final class RequestParts implements HandlerMethodArgumentResolver {
  private final Map<Class<?>, Part> parts;

  public RequestParts(Bodies bodies, Callers callers) {
    this.parts =
        Map.of(
            Query.class, Query::of,
            Caller.class, Caller::of,
            Conditions.class, Conditions::of,
            JsonObject.class, bodies::object,
            InetAddress.class, request -> InetAddress.ofLiteral(request.getRemoteAddr()),
            Liveness.class, request -> (Liveness) () -> callers.requireLive(request));
  }

  @FunctionalInterface
  private interface Part {
    Object of(HttpServletRequest request);
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parts.containsKey(parameter.getParameterType());
  }

  @Override
  public Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    return Objects.requireNonNull(parts.get(parameter.getParameterType()))
        .of(Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)));
  }
}
