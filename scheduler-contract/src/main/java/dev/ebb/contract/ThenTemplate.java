package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What follows each job of a schedule.
 *
 * @param completed once it completes
 * @param deadLetter once it becomes a dead letter
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ThenTemplate(@Nullable NextTemplate completed, @Nullable NextTemplate deadLetter) {}
