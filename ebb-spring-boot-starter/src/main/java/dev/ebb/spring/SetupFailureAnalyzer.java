package dev.ebb.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has the sentence of a {@link SetupFailure} printed, instead of a stack trace. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<SetupFailure> {
  @Override
  protected FailureAnalysis analyze(Throwable root, SetupFailure failure) {
    return new FailureAnalysis(String.valueOf(failure.getMessage()), null, failure);
  }
}
