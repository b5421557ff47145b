package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What follows a job when it ends.
 *
 * @param completed once it completes
 * @param deadLetter once it becomes a dead letter
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FollowUps(@Nullable FollowUp completed, @Nullable FollowUp deadLetter) {}
