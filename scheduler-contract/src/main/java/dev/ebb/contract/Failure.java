package dev.ebb.contract;

/** Why an attempt failed. */
public record Failure(String reason, String message) {}
