package dev.ebb.spring;

import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbJson;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The beans of applications that know a server, and run jobs. */
@Configuration(proxyBeanMethods = false)
class Workers {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty("ebb.url")
  EbbHttp ebbHttp(EbbProperties properties, ObjectProvider<EbbJson> jsons) {
    URI url = properties.url();
    if (url == null) {
      throw new SetupFailure("ebb.url is empty: name the server, or leave it out.");
    }
    EbbHttp.Builder http = builder(url, properties.token());
    jsons.ifUnique(http::json);
    return http.build();
  }

  private static EbbHttp.Builder builder(URI url, @Nullable String token) {
    try {
      EbbHttp.Builder http = EbbHttp.at(url);
      return token == null || token.isBlank() ? http : http.token(token);
    } catch (IllegalArgumentException broken) {
      throw new SetupFailure("ebb.url or ebb.token is wrong: " + broken.getMessage() + ".", broken);
    }
  }

  /** Each context has those of its own beans, and a worker for them. */
  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  HandlerMethods ebbHandlerMethods(ConfigurableListableBeanFactory beans) {
    return new HandlerMethods(beans);
  }

  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  EbbHandlers ebbHandlers(HandlerMethods methods) {
    return new EbbHandlers(methods);
  }

  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  @ConditionalOnBooleanProperty(name = "ebb.worker.enabled", matchIfMissing = true)
  WorkerLifecycle ebbWorkerLifecycle(
      HandlerMethods handlers,
      ObjectProvider<EbbHttp> servers,
      EbbProperties properties,
      Environment environment,
      ObjectProvider<EbbWorkerCustomizer> customizers,
      ObjectProvider<HandlerWatch> watches) {
    String application = environment.getProperty("spring.application.name", "spring");
    HandlerWatch watch = watches.getIfUnique(() -> HandlerWatch.NONE);
    WorkerMaker maker =
        new WorkerMaker(handlers, watch, properties.worker(), application, customizers);
    return new WorkerLifecycle(handlers, () -> maker.make(servers.getIfAvailable()));
  }
}
