package dev.ebb.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds what tests look at among the objects of a chart. */
final class Rendered {
  /** The values without which nothing is rendered, and those by which everything is. */
  static final String LEAST = "values.yaml";

  static final String ALL = "all-values.yaml";
  static final Path ROOT = Path.of("..", "..", "..");
  static final Path FOLDER = Path.of("..", "ebb");

  private Rendered() {}

  static JsonNode find(List<JsonNode> objects, String kind, String name) {
    return objects.stream()
        .filter(object -> object.path("kind").asText().equals(kind))
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .findAny()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }

  /** The templates of all pods. */
  static List<JsonNode> pods(List<JsonNode> objects) {
    return objects.stream()
        .map(object -> object.at("/spec/template"))
        .filter(JsonNode::isObject)
        .toList();
  }

  static JsonNode pod(List<JsonNode> objects, String component) {
    return pods(objects).stream()
        .filter(pod ->
            pod.at("/metadata/labels/app.kubernetes.io~1component").asText().equals(component))
        .findAny()
        .orElseThrow();
  }

  static JsonNode container(JsonNode pod) {
    return pod.at("/spec/containers/0");
  }

  static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.forEach(one -> names.add(one.path("name").asText()));
    return names;
  }

  static String setting(JsonNode pod, String name) {
    JsonNode environment = container(pod).path("env");
    List<String> names = names(environment);
    assertThat(names).contains(name);
    return environment.get(names.indexOf(name)).path("value").asText();
  }
}
