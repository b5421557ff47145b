package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A policy that has a name.
 *
 * @param name its name
 * @param builtIn whether it is a preset, which nobody changes
 * @param policy what it says
 * @param createdAt absent for a preset
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NamedPolicy(
    String name, boolean builtIn, Policy policy, @Nullable Instant createdAt) {}
