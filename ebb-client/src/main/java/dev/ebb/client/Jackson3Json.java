package dev.ebb.client;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3 and its modules; fields that a type does not have are left out. */
final class Jackson3Json implements EbbJson {
  private final JsonMapper mapper =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  @Override
  public String encode(Object value) {
    return mapper.writeValueAsString(value);
  }

  @Override
  public @Nullable Object decode(String json, Type type) {
    return mapper.readValue(json, mapper.constructType(type));
  }
}
