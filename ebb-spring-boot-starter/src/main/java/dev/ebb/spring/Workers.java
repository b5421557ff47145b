package dev.ebb.spring;

import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbJson;
import dev.ebb.client.EbbWorker;
import dev.ebb.client.InvalidJob;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
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
    EbbHttp.Builder http = EbbHttp.at(url);
    String token = properties.token();
    if (token != null && !token.isBlank()) {
      http.token(token);
    }
    jsons.ifUnique(http::json);
    return http.build();
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

  /** Made when the worker starts: only then are the handlers known. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  @ConditionalOnBean(EbbHttp.class)
  EbbWorker.Builder ebbWorker(
      EbbHttp http, EbbProperties properties, HandlerMethods handlers, Environment environment) {
    EbbProperties.Worker worker = properties.worker();
    String application = environment.getProperty("spring.application.name", "spring");
    try {
      EbbWorker.Builder builder =
          http.worker(Objects.requireNonNullElse(worker.name(), application))
              .slots(worker.slots())
              .lease(worker.lease())
              .drain(worker.shutdown());
      List<String> queues = worker.queues().isEmpty() ? handlers.queues() : worker.queues();
      return queues.isEmpty() ? builder : builder.queues(queues.toArray(String[]::new));
    } catch (IllegalArgumentException | InvalidJob broken) {
      throw new SetupFailure(
          "ebb.worker, or a handler's queue, is wrong: " + broken.getMessage() + ".", broken);
    }
  }

  @Bean
  @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
  @ConditionalOnBooleanProperty(name = "ebb.worker.enabled", matchIfMissing = true)
  WorkerLifecycle ebbWorkerLifecycle(
      HandlerMethods handlers,
      ObjectProvider<EbbWorker.Builder> builders,
      ObjectProvider<HandlerWatch> watches) {
    return new WorkerLifecycle(handlers, builders, watches.getIfUnique(() -> HandlerWatch.NONE));
  }
}
