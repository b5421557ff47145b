package dev.ebb.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test of an application, beside {@code @SpringBootTest}, the {@link EbbJobs} that the
 * application submits. Ebb's schema is made in the database of the test if it is not there, and no
 * worker runs: a test runs jobs itself.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@TestPropertySource(properties = {"ebb.worker.enabled=false", "ebb.schema=none"})
@Import(EbbJobs.Configured.class)
public @interface EbbTest {}
