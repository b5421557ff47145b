package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the whole cluster.
 *
 * @param subject the name of the label whose value is a job's subject; {@code null} for none: then
 *     the subject is where its delivery goes
 * @param notices the destination that is told of others that fail for long, and of their dead
 *     letters; {@code null} for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Settings(@Nullable String subject, @Nullable String notices) {}
