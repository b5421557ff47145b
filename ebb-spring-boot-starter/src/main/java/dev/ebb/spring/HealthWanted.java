package dev.ebb.spring;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Holds where the application has not switched the worker's health off, alone or with all. */
final class HealthWanted implements Condition {
  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    Environment said = context.getEnvironment();
    boolean usually = said.getProperty("management.health.defaults.enabled", Boolean.class, true);
    return said.getProperty("management.health.ebb.enabled", Boolean.class, usually);
  }
}
