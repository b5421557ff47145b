package dev.ebb.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Has a bean's method run the jobs of a kind. It takes the arguments of the kind, and perhaps the
 * {@link dev.ebb.client.Run}. If it returns nothing, the job is completed, else it is what the
 * {@link dev.ebb.client.Outcome} says; whatever it throws is a failed attempt.
 *
 * <p>It may run more than once for a job, and on several threads at a time.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerHints.class)
public @interface EbbHandler {
  /** The kind of the jobs. */
  String kind();

  /**
   * The queue from which the worker takes them. A submit names it as well: {@link EbbTemplate} does
   * not know handlers.
   */
  String queue() default "default";
}
