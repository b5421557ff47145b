package dev.ebb.ui.page.system;

import dev.ebb.contract.KindSettings;
import dev.ebb.ui.words.Url;
import java.util.stream.Collectors;

/** A kind's settings as the fields of a form have them. */
public record KindForm(KindSettings kind) {
  /** A line for each label that its jobs take from their payloads. */
  public String labelsFrom() {
    return kind.labelsFrom().entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining("\n"));
  }

  /** Where the API has it. */
  public String path() {
    return "/v1/kinds/" + Url.segment(kind.name());
  }
}
