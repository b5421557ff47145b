package dev.ebb.db.json;

import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.NewJob;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The job of a schedule as its row has it: as {@link NewJobJson} writes it, with what follows it in
 * a field that versions without follow-ups refuse, so that they leave its fires to others.
 */
public final class TemplateJson {
  private static final String FOLLOW_UPS = "followUps";

  private TemplateJson() {}

  public static String write(NewJob job) {
    FollowUps then = job.then();
    if (then == null) {
      return NewJobJson.write(job);
    }
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(NewJobJson.write(job));
    return json.set(FOLLOW_UPS, FollowUpsJson.write(then)).toString();
  }

  /**
   * The job of a document.
   *
   * @throws RuntimeException if this version does not know what stands there
   */
  public static NewJob read(String text) {
    JsonNode json = JsonMapper.shared().readTree(text);
    if (!(json instanceof ObjectNode object) || !object.has(FOLLOW_UPS)) {
      return NewJobJson.read(text);
    }
    JsonNode then = object.remove(FOLLOW_UPS);
    return NewJobJson.read(object.toString()).toBuilder().then(FollowUpsJson.read(then)).build();
  }
}
