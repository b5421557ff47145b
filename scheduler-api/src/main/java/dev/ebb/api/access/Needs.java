package dev.ebb.api.access;

import dev.ebb.core.access.Scope;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The scopes that a route needs, all of them; none where any token will do. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Needs {
  Scope[] value() default {};
}
