package dev.ebb.api;

import dev.ebb.api.access.AccessRules;
import dev.ebb.api.access.Callers;
import dev.ebb.api.access.RequestParts;
import dev.ebb.api.http.AnswerWriter;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.BodyBudget;
import dev.ebb.api.http.Cors;
import dev.ebb.api.http.RequestRules;
import dev.ebb.api.http.SenderRules;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.ProblemResolver;
import dev.ebb.api.problem.ProblemValve;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.server.AnswerHeaders;
import dev.ebb.api.server.Connectors;
import dev.ebb.api.server.GuardedProtocol;
import dev.ebb.api.server.HealthRoutes;
import dev.ebb.api.system.RequestMetrics;
import dev.ebb.core.http.ServedHosts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Tomcat and Spring MVC, set up for nothing but this API. */
@Configuration(proxyBeanMethods = false)
@EnableWebMvc
class WebConfiguration implements WebMvcConfigurer {
  private static final int DRAIN_MILLIS = 5_000;

  private final ApiConfig config;
  private final AnswerHeaders headers;
  private final ApiConfig.Limits limits;
  private final InetAddress address;
  private final @Nullable Connector health;
  private final @Nullable HealthRoutes healthRoutes;
  private final AccessRules access;
  private final Cors cors;
  private final RequestParts parts;
  private final ProblemResolver problems;

  WebConfiguration(
      ApiConfig config,
      AnswerHeaders headers,
      Callers callers,
      Bodies bodies,
      ProblemResolver problems)
      throws UnknownHostException {
    this.config = config;
    this.parts = new RequestParts(bodies, callers);
    this.problems = problems;
    this.headers = headers;
    this.cors = new Cors(Set.copyOf(config.access().origins()));
    this.limits = config.limits();
    this.address = InetAddress.getByName(config.host());
    Integer port = config.healthPort();
    this.health =
        port == null
            ? null
            : Connectors.health(address, port, limits.headTime(), limits.keepAlive());
    HealthRoutes routes = health == null ? null : new HealthRoutes(health);
    this.healthRoutes = routes;
    this.access = new AccessRules(callers, request -> routes != null && routes.isThere(request));
  }

  @Bean
  TomcatServletWebServerFactory webServer() {
    TomcatServletWebServerFactory tomcat = new TomcatServletWebServerFactory(config.port());
    tomcat.setAddress(address);
    tomcat.setShutdown(Shutdown.GRACEFUL);
    tomcat.setRegisterDefaultServlet(false);
    tomcat.addEngineValves(headers);
    tomcat.setProtocol(GuardedProtocol.class.getName());
    tomcat.addConnectorCustomizers(connector ->
        Connectors.setUp(
            connector, limits.maxConnections(), limits.headTime(), limits.keepAlive()));
    if (health != null) {
      tomcat.addAdditionalConnectors(health);
    }
    tomcat.addContextCustomizers(context ->
        ((StandardHost) context.getParent())
            .setErrorReportValveClass(ProblemValve.class.getName()));
    return tomcat;
  }

  @Bean
  DispatcherServlet dispatcherServlet() {
    return new Dispatcher(cors, access);
  }

  /**
   * Does not log a path that nobody serves: anybody could fill the log. Knows the methods of the
   * routes and no others: OPTIONS and TRACE are refused as an unknown one is, but for a browser's
   * question on behalf of a page that may ask.
   */
  private static final class Dispatcher extends DispatcherServlet {
    @Serial private static final long serialVersionUID = 1L;
    private static final Set<String> ANSWERED_BY_SPRING = Set.of("OPTIONS", "TRACE");

    private final transient Cors cors;
    private final transient AccessRules access;

    Dispatcher(Cors cors, AccessRules access) {
      this.cors = cors;
      this.access = access;
    }

    /** Only a caller with a token learns that a path, a method or a media type is not served. */
    @Override
    protected @Nullable HandlerExecutionChain getHandler(HttpServletRequest request)
        throws Exception {
      HandlerExecutionChain found;
      try {
        found = super.getHandler(request);
      } catch (ServletException notServed) {
        access.requireToken(request);
        throw notServed;
      }
      if (found == null) {
        access.requireToken(request);
      }
      return found;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      cors.addTo(request, response);
      if (!cors.answers(request, response)) {
        processRequest(
            ANSWERED_BY_SPRING.contains(request.getMethod()) ? unknown(request) : request,
            response);
      }
    }

    private static HttpServletRequest unknown(HttpServletRequest request) {
      return new HttpServletRequestWrapper(request) {
        @Override
        public String getMethod() {
          return "UNKNOWN";
        }
      };
    }

    @Override
    protected void noHandlerFound(HttpServletRequest request, HttpServletResponse response) {
      throw Refusal.of(ProblemCode.NOT_FOUND, "No resource has this path; see /v1/openapi.json.");
    }
  }

  /** Lives as long as the API. */
  @Bean
  JvmGcMetrics jvmMetrics(MeterRegistry meters) {
    JvmGcMetrics gc = new JvmGcMetrics();
    gc.bindTo(meters);
    new JvmMemoryMetrics().bindTo(meters);
    return gc;
  }

  @Bean
  RequestMetrics requestMetrics(MeterRegistry meters) {
    return new RequestMetrics(meters);
  }

  @Bean
  BodyBudget bodyBudget(MeterRegistry meters) {
    return new BodyBudget(limits.maxBytesUnderWay(), meters);
  }

  @Bean
  DefaultLifecycleProcessor lifecycleProcessor() {
    DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
    processor.setTimeoutPerShutdownPhase(DRAIN_MILLIS);
    return processor;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new SenderRules(ServedHosts.of(config.host(), config.names()), cors));
    if (healthRoutes != null) {
      registry.addInterceptor(healthRoutes);
    }
    registry.addInterceptor(access);
    // Behind the access: what a route takes tells that it is there.
    registry.addInterceptor(new RequestRules());
  }

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(parts);
  }

  @Override
  public void addReturnValueHandlers(List<HandlerMethodReturnValueHandler> handlers) {
    handlers.add(new AnswerWriter());
  }

  /** The only resolver: nothing else may decide what a refusal looks like. */
  @Override
  public void configureHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    resolvers.add(problems);
  }
}
