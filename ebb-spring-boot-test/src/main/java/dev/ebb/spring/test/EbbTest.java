package dev.ebb.spring.test;

import dev.ebb.spring.EbbAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test of an application, beside {@code @SpringBootTest} or a slice such as
 * {@code @JdbcTest}, the {@link EbbJobs} that the application submits. Ebb's schema is made in the
 * database of the test if it is not there, and no worker runs: a test runs jobs itself.
 *
 * <p>A schema that this did not make is refused, for its jobs may be real. Each process of tests
 * needs a database of its own, and its tests run one after the other: they share all jobs.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@TestPropertySource(properties = {"ebb.worker.enabled=false", "ebb.schema=none"})
@ImportAutoConfiguration(EbbAutoConfiguration.class)
@Import(TestBeans.class)
public @interface EbbTest {
  /**
   * Whether all jobs are deleted before each test, also those of other tests.
   *
   * @return true unless given
   */
  boolean clear() default true;
}
