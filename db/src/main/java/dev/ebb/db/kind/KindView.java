package dev.ebb.db.kind;

import java.time.Instant;
import java.util.Map;

/**
 * A kind that has settings.
 *
 * @param labelsFrom JSON Pointers by the names of the labels that its jobs take from their payloads
 */
public record KindView(String name, Map<String, String> labelsFrom, Instant createdAt) {}
