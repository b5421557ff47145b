package dev.ebb.api.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The query parameters that a route takes; one without it takes none. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface QueryParameters {
  String[] value();

  /** Those of them that may be given more than once. */
  String[] repeated() default {};
}
