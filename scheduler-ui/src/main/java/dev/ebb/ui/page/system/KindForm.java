package dev.ebb.ui.page.system;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.KindSettings;
import dev.ebb.ui.page.LabelNames;
import dev.ebb.ui.words.Url;

/** A kind's settings as the fields of a form have them. */
public record KindForm(KindSettings kind) {
  /** A line for each label that its jobs take from their payloads. */
  public String labelsFrom() {
    return LabelNames.lines(kind.labelsFrom());
  }

  /** The entity tag by which a change names them, as they are here. */
  public String tag() {
    return Answer.tag(kind);
  }

  /** Where the API has it. */
  public String path() {
    return "/v1/kinds/" + Url.segment(kind.name());
  }
}
