package dev.ebb.client;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3; fields that a type does not have are left out. */
final class Jackson3Json implements EbbJson {
  private final JsonMapper mapper =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @Override
  public String encode(Object value) {
    return mapper.writeValueAsString(value);
  }

  @Override
  public <T> T decode(String json, Class<T> type) {
    return mapper.readValue(json, type);
  }
}
