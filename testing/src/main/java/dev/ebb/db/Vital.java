package dev.ebb.db;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks the proofs of what must never break, which {@code .ci/run} runs for every change; {@code
 * .ci/run all} runs the others as well.
 */
@Proof
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("vital")
public @interface Vital {}
