package dev.ebb.spring;

import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbJson;
import dev.ebb.client.EbbWorker;
import java.util.Collection;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
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
    EbbHttp.Builder http = EbbHttp.at(Objects.requireNonNull(properties.url()));
    String token = properties.token();
    if (token != null && !token.isBlank()) {
      http.token(token);
    }
    jsons.ifUnique(http::json);
    return http.build();
  }

  @Bean
  @ConditionalOnMissingBean
  HandlerMethods ebbHandlerMethods(ConfigurableListableBeanFactory beans) {
    return new HandlerMethods(beans);
  }

  /** Made when the worker starts: only then are the handlers known. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  @ConditionalOnBean(EbbHttp.class)
  EbbWorker.Builder ebbWorker(
      EbbHttp http, EbbProperties properties, HandlerMethods handlers, Environment environment) {
    EbbProperties.Worker worker = properties.worker();
    String application = environment.getProperty("spring.application.name", "spring");
    Collection<String> queues =
        worker.queues().isEmpty()
            ? handlers.all().stream().map(HandlerMethod::queue).distinct().toList()
            : worker.queues();
    return http.worker(Objects.requireNonNullElse(worker.name(), application))
        .queues(queues.toArray(String[]::new))
        .slots(worker.slots())
        .lease(worker.lease())
        .drain(worker.shutdown());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "ebb.worker.enabled", matchIfMissing = true)
  WorkerLifecycle ebbWorkerLifecycle(
      HandlerMethods handlers,
      ObjectProvider<EbbWorker.Builder> builders,
      ObjectProvider<HandlerWatch> watches) {
    return new WorkerLifecycle(handlers, builders, watches.getIfUnique(() -> HandlerWatch.NONE));
  }
}
