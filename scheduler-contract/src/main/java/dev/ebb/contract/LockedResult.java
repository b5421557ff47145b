package dev.ebb.contract;

/** A result to be sent again. */
public record LockedResult(String lease, String id) {}
