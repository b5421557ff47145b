package dev.ebb.spring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.client.EbbJson;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** JSON as the application's own Jackson 2 writes it, which Spring Boot 3 has. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ObjectMapper.class)
@ConditionalOnSingleCandidate(ObjectMapper.class)
class Jackson2 {
  @Bean
  @ConditionalOnMissingBean
  EbbJson ebbJson(ObjectMapper mapper) {
    return new EbbJson() {
      @Override
      public String encode(Object value) {
        try {
          return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public @Nullable Object decode(String json, Type type) {
        try {
          return mapper.readValue(json, mapper.constructType(type));
        } catch (JsonProcessingException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }
}
