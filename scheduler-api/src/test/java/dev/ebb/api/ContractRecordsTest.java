package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.contract.Job;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The records of the contract and the schemas of {@code openapi.json} say the same. */
class ContractRecordsTest {
  /**
   * Answers without a record of their own: counts are numbers by their names, and a receipt is a
   * job, or an item of a batch where the job cannot be read back.
   */
  private static final Set<String> WITHOUT_RECORD = Set.of("Counts", "JobReceipt");

  /** What bodies may leave out of them, answers have; and an answer may be of no limit. */
  private static final Set<String> MAY_BE_LESS =
      Set.of("CircuitRule", "Limiter", "Policy", "RateLimit", "SuccessRule");

  private static JsonNode document;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream json = EbbApi.class.getResourceAsStream("/dev/ebb/api/openapi.json")) {
      document = JsonMapper.shared().readTree(json);
    }
  }

  @Test
  void every_record_has_the_fields_of_the_schema_of_its_name() throws Exception {
    List<String> differences = new ArrayList<>();
    List<Class<?>> records = records();
    for (Class<?> type : records) {
      JsonNode schema = document.at("/components/schemas/" + type.getSimpleName());
      if (schema.isMissingNode()) {
        differences.add(type.getSimpleName() + " has no schema");
      } else {
        compare(type.getSimpleName(), type, schema, differences);
      }
    }

    assertThat(records).hasSizeGreaterThan(60);
    assertThat(differences).isEmpty();
  }

  @Test
  void every_schema_that_is_answered_has_a_record() throws Exception {
    Set<String> answered = new TreeSet<>();
    for (JsonNode path : document.path("paths")) {
      for (JsonNode operation : path) {
        for (Map.Entry<String, JsonNode> answer : operation.path("responses").properties()) {
          collect(answer.getValue(), answered);
        }
      }
    }
    Set<String> records =
        records().stream().map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new));

    answered.removeIf(name -> !isObject(name));
    answered.removeAll(records);

    assertThat(answered).isEqualTo(new TreeSet<>(WITHOUT_RECORD));
  }

  /** Jackson would write what looks like a getter as a field. */
  @Test
  void what_a_record_says_besides_is_no_field_of_its_json() throws Exception {
    List<String> more = new ArrayList<>();
    for (Class<?> type : records()) {
      for (Method method : type.getDeclaredMethods()) {
        boolean looks =
            method.getName().matches("(is|get)[A-Z].*") && method.getParameterCount() == 0;
        if (looks
            && Arrays.stream(method.getAnnotations())
                .noneMatch(one -> one.toString().contains("JsonIgnore"))) {
          more.add(type.getSimpleName() + "." + method.getName());
        }
      }
    }

    assertThat(more).isEmpty();
  }

  private static void compare(String at, Class<?> type, JsonNode schema, List<String> found) {
    JsonNode properties = merged(schema, "properties");
    Set<String> required = new TreeSet<>();
    collectRequired(schema, required);
    Set<String> described = new TreeSet<>(properties.propertyNames());
    Set<String> there = new TreeSet<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      there.add(name);
      if (properties.has(name)) {
        compare(at + "." + name, component.getGenericType(), properties.path(name), found);
      }
      if (isOptional(component) == required.contains(name)
          && !MAY_BE_LESS.contains(type.getSimpleName())) {
        found.add(at + "." + name + " is " + (isOptional(component) ? "" : "not ") + "nullable");
      }
    }
    if (!there.equals(described)) {
      found.add(at + " has " + there + " and is described with " + described);
    }
  }

  private static boolean isOptional(RecordComponent component) {
    JsonInclude include = component.getAccessor().getAnnotation(JsonInclude.class);
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class)
        || (include != null && include.value() == JsonInclude.Include.NON_EMPTY);
  }

  private static void compare(String at, Type type, JsonNode schema, List<String> found) {
    JsonNode target = resolved(schema);
    Class<?> raw =
        type instanceof ParameterizedType of ? (Class<?>) of.getRawType() : (Class<?>) type;
    if (raw.isRecord()) {
      compare(at, raw, named(schema), found);
    } else if (type instanceof ParameterizedType of && raw == List.class) {
      compare(at + "[]", of.getActualTypeArguments()[0], target.path("items"), found);
    } else {
      String kind = target.path("type").asString("any");
      if (!kinds(raw).contains(kind)) {
        found.add(at + " is " + raw.getSimpleName() + " and is described as " + kind);
      }
    }
  }

  private static Set<String> kinds(Class<?> type) {
    if (type == String.class) {
      // A text of JSON stands for any value.
      return Set.of("string", "any");
    }
    if (type == Instant.class || type == Duration.class || type == LocalDate.class) {
      return Set.of("string");
    }
    if (type == Map.class) {
      return Set.of("object");
    }
    if (type == boolean.class || type == Boolean.class) {
      return Set.of("boolean");
    }
    return type == double.class || type == Double.class || type == Number.class
        ? Set.of("number")
        : Set.of("integer");
  }

  private static JsonNode named(JsonNode schema) {
    JsonNode ref = schema.path("$ref");
    return ref.isString() ? document.at(ref.stringValue().substring(1)) : schema;
  }

  private static JsonNode resolved(JsonNode schema) {
    JsonNode ref = schema.path("$ref");
    if (ref.isString()) {
      return resolved(document.at(ref.stringValue().substring(1)));
    }
    JsonNode parts = schema.path("allOf");
    return parts.size() == 1 ? resolved(parts.path(0)) : schema;
  }

  private static JsonNode merged(JsonNode schema, String field) {
    JsonNode own = schema.path(field);
    return own.isMissingNode() ? resolved(schema).path(field) : own;
  }

  private static void collectRequired(JsonNode schema, Set<String> required) {
    schema.path("required").forEach(name -> required.add(name.stringValue()));
    JsonNode other = resolved(schema);
    if (!other.equals(schema)) {
      collectRequired(other, required);
    }
  }

  private static boolean isObject(String name) {
    JsonNode schema = resolved(document.at("/components/schemas/" + name));
    return !merged(schema, "properties").isEmpty();
  }

  private static void collect(JsonNode node, Set<String> names) {
    JsonNode ref = node.path("$ref");
    if (ref.isString()) {
      JsonNode target = document.at(ref.stringValue().substring(1));
      String name = ref.stringValue().substring(ref.stringValue().lastIndexOf('/') + 1);
      boolean isSchema = ref.stringValue().startsWith("#/components/schemas/");
      if (!isSchema || names.add(name)) {
        collect(target, names);
      }
    }
    node.forEach(child -> collect(child, names));
  }

  private static List<Class<?>> records() throws IOException, URISyntaxException {
    URI place = Job.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path path = Path.of(place);
    if (Files.isDirectory(path)) {
      return records(path);
    }
    try (FileSystem jar = FileSystems.newFileSystem(path)) {
      return records(jar.getPath("/"));
    }
  }

  private static List<Class<?>> records(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("dev/ebb/contract"))) {
      List<Class<?>> records = new ArrayList<>();
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.matches("[A-Z]\\w*\\.class")) {
          Class<?> type = load("dev.ebb.contract." + name.substring(0, name.length() - 6));
          if (type.isRecord()) {
            records.add(type);
          }
        }
      }
      return records;
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
