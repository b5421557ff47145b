package dev.ebb.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Expects input to be refused on one field. */
public final class Broken {
  private Broken() {}

  public static void refuses(String field, ThrowingCallable call) {
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(call)
        .satisfies(broken -> {
          assertThat(broken.field()).isEqualTo(field);
          assertThat(broken).hasMessageStartingWith(field);
          assertThat(broken.rule()).startsWith("must ");
        });
  }
}
