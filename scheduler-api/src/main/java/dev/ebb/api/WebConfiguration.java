package dev.ebb.api;

import dev.ebb.api.http.BodyBudget;
import dev.ebb.api.http.RequestRules;
import dev.ebb.api.http.SenderRules;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.ProblemResolver;
import dev.ebb.api.problem.ProblemValve;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.system.RequestMetrics;
import dev.ebb.core.ServedHosts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Tomcat and Spring MVC, set up for nothing but this API. */
@Configuration(proxyBeanMethods = false)
@EnableWebMvc
class WebConfiguration implements WebMvcConfigurer {
  /** Of the request's line and headers together. */
  private static final int MAX_HEAD_BYTES = 8 * 1024;

  private static final int DRAIN_MILLIS = 5_000;

  private final ApiConfig config;
  private final InetAddress address;

  WebConfiguration(ApiConfig config) throws UnknownHostException {
    this.config = config;
    this.address = InetAddress.getByName(config.host());
  }

  @Bean
  TomcatServletWebServerFactory webServer() {
    TomcatServletWebServerFactory tomcat = new TomcatServletWebServerFactory(config.port());
    tomcat.setAddress(address);
    tomcat.setShutdown(Shutdown.GRACEFUL);
    tomcat.setRegisterDefaultServlet(false);
    tomcat.addConnectorCustomizers(WebConfiguration::limit);
    tomcat.addProtocolHandlerCustomizers(
        handler -> handler.setExecutor(new VirtualThreadExecutor("ebb-http-")));
    tomcat.addContextCustomizers(context ->
        ((StandardHost) context.getParent())
            .setErrorReportValveClass(ProblemValve.class.getName()));
    return tomcat;
  }

  private static void limit(Connector connector) {
    connector.setProperty("connectionTimeout", "10000");
    connector.setProperty("keepAliveTimeout", "60000");
    connector.setProperty("maxHttpRequestHeaderSize", Integer.toString(MAX_HEAD_BYTES));
    // What is left of a refused body is read up to here, then the connection is closed.
    connector.setProperty("maxSwallowSize", "65536");
    // The dispatcher refuses it, with what the path allows; nothing here echoes a request.
    connector.setAllowTrace(true);
    // A body that is refused by its length is refused before it is sent.
    connector.setProperty("continueResponseTiming", "onRead");
  }

  @Bean
  DispatcherServlet dispatcherServlet() {
    return new Dispatcher();
  }

  /**
   * Does not log a path that nobody serves: anybody could fill the log. Knows the methods of the
   * routes and no others: OPTIONS and TRACE are refused as an unknown one is.
   */
  private static final class Dispatcher extends DispatcherServlet {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void doOptions(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      processRequest(new Unknown(request), response);
    }

    @Override
    protected void doTrace(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      processRequest(new Unknown(request), response);
    }

    @Override
    protected void noHandlerFound(HttpServletRequest request, HttpServletResponse response) {
      throw Refusal.of(ProblemCode.NOT_FOUND, "No resource has this path; see /v1/openapi.json.");
    }
  }

  /** A request whose method Spring does not answer by itself. */
  private static final class Unknown extends HttpServletRequestWrapper {
    Unknown(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getMethod() {
      return "UNKNOWN";
    }
  }

  @Bean
  PrometheusMeterRegistry meterRegistry() {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(meters);
    return meters;
  }

  /** Lives as long as the registry that it writes to. */
  @Bean
  JvmGcMetrics gcMetrics(MeterRegistry meters) {
    JvmGcMetrics gc = new JvmGcMetrics();
    gc.bindTo(meters);
    return gc;
  }

  @Bean
  RequestMetrics requestMetrics(MeterRegistry meters) {
    return new RequestMetrics(meters);
  }

  @Bean
  BodyBudget bodyBudget(MeterRegistry meters) {
    return new BodyBudget(config.limits().maxBytesUnderWay(), meters);
  }

  @Bean
  DefaultLifecycleProcessor lifecycleProcessor() {
    DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
    processor.setTimeoutPerShutdownPhase(DRAIN_MILLIS);
    return processor;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new SenderRules(ServedHosts.of(config.host(), config.names())));
    registry.addInterceptor(new RequestRules());
  }

  /** The only resolver: nothing else may decide how a refusal looks. */
  @Override
  public void configureHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    resolvers.add(new ProblemResolver());
  }
}
