package dev.ebb.core;

/** How long to wait after the n-th failure. */
public sealed interface Backoff {
  record None() implements Backoff {}
}
