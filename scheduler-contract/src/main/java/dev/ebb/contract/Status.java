package dev.ebb.contract;

/** What a probe answers: alive, started or ready. */
public record Status(String status) {}
