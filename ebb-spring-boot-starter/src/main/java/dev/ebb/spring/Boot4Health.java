package dev.ebb.spring;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The worker's health, as Spring Boot 4 asks for it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(WorkerLifecycle.class)
@Conditional(HealthWanted.class)
class Boot4Health {
  @Bean
  @ConditionalOnMissingBean(name = "ebbHealthIndicator", search = SearchStrategy.CURRENT)
  HealthIndicator ebbHealthIndicator(WorkerLifecycle worker) {
    return () -> {
      WorkerHealth health = worker.health();
      return new Health.Builder().status(health.status()).withDetails(health.details()).build();
    };
  }
}
