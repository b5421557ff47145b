package dev.ebb.contract;

import java.time.Instant;
import java.util.Map;

/**
 * A kind that has settings.
 *
 * @param name its name
 * @param labelsFrom JSON Pointers by the names of the labels that its jobs take from their payloads
 * @param createdAt when its settings were first made
 */
public record KindSettings(String name, Map<String, String> labelsFrom, Instant createdAt) {}
