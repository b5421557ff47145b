package dev.ebb.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What editors are told of the properties, which is written by hand, beside the properties. */
class MetadataTest {
  /** Those that conditions alone read. */
  private static final Map<String, String> CONDITIONS =
      Map.of(
          "ebb.enabled", "java.lang.Boolean = true",
          "management.health.ebb.enabled", "java.lang.Boolean = true");

  @Test
  void editors_know_each_property_with_its_type_and_default() throws IOException {
    Map<String, String> expected = new TreeMap<>(CONDITIONS);
    collect("ebb.", EbbProperties.class, expected);

    assertThat(expected).hasSizeGreaterThan(10);
    assertThat(told()).isEqualTo(expected);
  }

  private static void collect(String prefix, Class<?> type, Map<String, String> properties)
      throws IOException {
    for (Parameter component : type.getDeclaredConstructors()[0].getParameters()) {
      String name =
          prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      if (component.getType().isRecord()) {
        collect(name + ".", component.getType(), properties);
      } else {
        properties.put(name, typeOf(component) + defaultOf(component));
      }
    }
  }

  private static String typeOf(Parameter component) {
    Class<?> type = component.getType();
    return type.isPrimitive()
        ? ClassUtils.resolvePrimitiveIfNecessary(type).getName()
        : component.getParameterizedType().getTypeName();
  }

  private static String defaultOf(Parameter component) {
    DefaultValue value = component.getAnnotation(DefaultValue.class);
    return value == null || value.value().length == 0 ? "" : " = " + value.value()[0];
  }

  private static Map<String, String> told() throws IOException {
    Map<String, String> told = new TreeMap<>();
    for (JsonNode property : metadata().path("properties")) {
      assertThat(property.path("description").asString()).endsWith(".");
      String value =
          property.has("defaultValue") ? " = " + property.path("defaultValue").asString() : "";
      told.put(property.path("name").asString(), property.path("type").asString() + value);
    }
    return told;
  }

  private static JsonNode metadata() throws IOException {
    try (InputStream file =
        EbbProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      return JsonMapper.shared().readTree(file);
    }
  }
}
