package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What follows one of the ways in which a job may end: {@code kind} and {@code queue} of a job that
 * is planned, {@code job} once it was submitted, {@code refused} where it could not be.
 *
 * @param kind of a job that is planned
 * @param queue of a job that is planned
 * @param job its id
 * @param refused why it was not submitted
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FollowUp(
    @Nullable String kind,
    @Nullable String queue,
    @Nullable String job,
    @Nullable String refused) {}
