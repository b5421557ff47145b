package dev.ebb.core.http;

import dev.ebb.core.job.Outcome;

/**
 * What a response means, and why.
 *
 * @param rule the one that decided, in words for people: it quotes neither a rule's text nor a body
 */
public record Verdict(Outcome outcome, String rule) {}
