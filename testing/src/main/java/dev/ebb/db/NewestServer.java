package dev.ebb.db;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that needs the newest PostgreSQL: it measures by what only that one tells, bounds what
 * only its plans keep small, or runs an older version of Ebb.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("newest")
public @interface NewestServer {}
