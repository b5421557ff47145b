package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** Why an attempt failed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Failure(String reason, @Nullable String message) {}
