package dev.ebb.db.json;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.retry.RetryPolicy;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * A job to submit as one document, with a field for each component of {@link NewJob} but what
 * follows it. The payload is a string in it, which keeps it to the byte.
 */
public final class NewJobJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(
              new SimpleModule()
                  .addSerializer(new PolicyWriter())
                  .addDeserializer(RetryPolicy.class, new PolicyReader()))
          .addMixIn(NewJob.class, Followed.class)
          // A field that is not given is not written, so that versions without it can read the
          // others.
          .changeDefaultPropertyInclusion(all -> all.withValueInclusion(Include.NON_NULL))
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private NewJobJson() {}

  public static String write(NewJob job) {
    return JSON.writeValueAsString(job);
  }

  /**
   * The job of a document.
   *
   * @throws RuntimeException if this version does not know what stands there
   */
  public static NewJob read(String json) {
    return JSON.readValue(json, NewJob.class);
  }

  /** Neither the job of a schedule nor one that follows another is followed by any. */
  @JsonIgnoreProperties("then")
  private interface Followed {}

  private static final class PolicyWriter extends StdSerializer<RetryPolicy> {
    PolicyWriter() {
      super(RetryPolicy.class);
    }

    @Override
    public void serialize(RetryPolicy policy, JsonGenerator json, SerializationContext context) {
      json.writeTree(PolicyJson.write(policy));
    }
  }

  private static final class PolicyReader extends StdDeserializer<RetryPolicy> {
    PolicyReader() {
      super(RetryPolicy.class);
    }

    @Override
    public RetryPolicy deserialize(JsonParser json, DeserializationContext context) {
      JsonNode policy = context.readTree(json);
      return StoredSettings.policy(policy.toString(), StoredSettings.DEFAULT_POLICY);
    }
  }
}
