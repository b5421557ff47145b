package dev.ebb.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/**
 * Adds Ebb to an application. A bean of the application's own takes the place of any that this has.
 */
@AutoConfiguration(
    // Of Spring Boot 4, and where the same was in Spring Boot 3.
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure"
          + ".CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.metrics"
          + ".CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnBooleanProperty(name = "ebb.enabled", matchIfMissing = true)
@EnableConfigurationProperties(EbbProperties.class)
@Import({
  Jackson3.class,
  Jackson2.class,
  HandlerMeters.Configured.class,
  Submits.class,
  Workers.class,
  Boot4Health.class,
  Boot3Health.class
})
public final class EbbAutoConfiguration {}
