package dev.ebb.contract;

/**
 * What a probe answers: alive, started or ready.
 *
 * @param status a word for it
 */
public record Status(String status) {}
