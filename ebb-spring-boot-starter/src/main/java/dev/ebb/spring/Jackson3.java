package dev.ebb.spring;

import dev.ebb.client.EbbJson;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** JSON as the application's own Jackson 3 writes it, which Spring Boot 4 has. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JsonMapper.class)
@ConditionalOnSingleCandidate(JsonMapper.class)
class Jackson3 {
  @Bean
  @ConditionalOnMissingBean
  EbbJson ebbJson(JsonMapper mapper) {
    return new EbbJson() {
      @Override
      public String encode(Object value) {
        return mapper.writeValueAsString(value);
      }

      @Override
      public @Nullable Object decode(String json, Type type) {
        return mapper.readValue(json, mapper.constructType(type));
      }
    };
  }
}
