package dev.ebb.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds what breaks a client of one contract that is served under another: what it may no longer
 * send, what it must newly send, and what it no longer gets.
 */
final class ContractBreaks {
  private static final List<String> LEAST = List.of("minimum", "minLength", "minItems");
  private static final List<String> MOST =
      List.of("maximum", "maxLength", "maxItems", "maxProperties");

  private final JsonNode before;
  private final JsonNode now;
  private final Set<String> breaks = new TreeSet<>();
  private final List<String> open = new ArrayList<>();

  private ContractBreaks(JsonNode before, JsonNode now) {
    this.before = before;
    this.now = now;
  }

  /** A line for each, empty if the newer contract only adds. */
  static Set<String> between(JsonNode before, JsonNode now) {
    ContractBreaks check = new ContractBreaks(before, now);
    before
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .properties()
                .forEach(verb -> check.operation(path.getKey(), verb.getKey())));
    return check.breaks;
  }

  private void operation(String path, String verb) {
    String where = verb + " " + path;
    JsonNode old = before.path("paths").path(path).path(verb);
    JsonNode here = now.path("paths").path(path).path(verb);
    if (here.isMissingNode()) {
      breaks.add(where + " is gone");
      return;
    }
    needs(where + " needs", scopes(here), scopes(old));
    parameters(where, old, here);
    if (here.path("requestBody").path("required").asBoolean()
        && !old.path("requestBody").path("required").asBoolean()) {
      breaks.add(where + " needs a body");
    }
    bodies(where + " takes", old.path("requestBody"), here.path("requestBody"), true);
    old.path("responses")
        .properties()
        .forEach(status -> answers(where, status.getKey(), status.getValue(), here));
  }

  private void answers(String where, String status, JsonNode old, JsonNode here) {
    JsonNode answer = here.path("responses").path(status);
    if (answer.isMissingNode() && status.startsWith("2")) {
      breaks.add(where + " no longer answers " + status);
    } else if (!answer.isMissingNode()) {
      bodies(where + " answers " + status, in(before, old), in(now, answer), false);
    }
  }

  private void parameters(String where, JsonNode old, JsonNode here) {
    List<JsonNode> known = old.path("parameters").valueStream().map(p -> in(before, p)).toList();
    List<JsonNode> taken = here.path("parameters").valueStream().map(p -> in(now, p)).toList();
    for (JsonNode one : taken) {
      if (one.path("required").asBoolean() && same(known, one).noneMatch(ContractBreaks::needed)) {
        breaks.add(where + " needs the parameter " + one.path("name").asString());
      }
    }
    for (JsonNode one : known) {
      String name = where + " parameter " + one.path("name").asString();
      same(taken, one)
          .findFirst()
          .ifPresentOrElse(
              match -> schema(name, one.path("schema"), match.path("schema"), true),
              () -> breaks.add(name + " is gone"));
    }
  }

  private static boolean needed(JsonNode parameter) {
    return parameter.path("required").asBoolean();
  }

  private static Stream<JsonNode> same(List<JsonNode> among, JsonNode one) {
    return among.stream()
        .filter(other ->
            other.path("name").equals(one.path("name")) && other.path("in").equals(one.path("in")));
  }

  private void bodies(String where, JsonNode old, JsonNode here, boolean sent) {
    old.path("content")
        .properties()
        .forEach(type -> {
          JsonNode match = here.path("content").path(type.getKey());
          if (match.isMissingNode()) {
            breaks.add(where + ": " + type.getKey() + " is gone");
          } else {
            schema(where, type.getValue().path("schema"), match.path("schema"), sent);
          }
        });
  }

  /** Compares two schemas, once for each pair of names: some contain themselves. */
  private void schema(
      String where, JsonNode oldOrReference, JsonNode hereOrReference, boolean sent) {
    String pair = sent + oldOrReference.path("$ref").asString("") + hereOrReference.path("$ref");
    boolean named = oldOrReference.has("$ref");
    if (named && open.contains(pair)) {
      return;
    }
    JsonNode old = whole(before, oldOrReference);
    JsonNode here = whole(now, hereOrReference);
    if (!sent && hasChoices(here) && !hasChoices(old)) {
      oneOfMore(where, oldOrReference, here);
      return;
    }
    open.add(pair);
    types(where, old, here, sent);
    fields(where, old, here, sent);
    if (sent) {
      narrower(where, old, here);
    }
    alternatives(where, old, here, sent);
    for (String inner : List.of("items", "additionalProperties")) {
      if (old.path(inner).isObject()) {
        schema(where + "[]", old.path(inner), here.path(inner), sent);
      }
    }
    open.removeLast();
  }

  /** An answer of another kind is one that a client of the last release does not ask for. */
  private void oneOfMore(String where, JsonNode old, JsonNode here) {
    if (choices(here).noneMatch(one -> fits(old, one, false))) {
      breaks.add(where + " is none of what it may be now");
    }
  }

  private void types(String where, JsonNode old, JsonNode here, boolean sent) {
    Set<String> was = texts(old.path("type"));
    Set<String> is = texts(here.path("type"));
    Set<String> wide = sent ? is : was;
    Set<String> narrow = sent ? was : is;
    boolean fits = wide.isEmpty() || (!narrow.isEmpty() && wide.containsAll(narrow));
    if (!fits) {
      breaks.add(where + " is " + is + ", not " + was);
    }
  }

  private void fields(String where, JsonNode old, JsonNode here, boolean sent) {
    Set<String> was = texts(old.path("required"));
    Set<String> is = texts(here.path("required"));
    needs(where + (sent ? " needs" : " may lack"), sent ? is : was, sent ? was : is);
    old.path("properties")
        .properties()
        .forEach(field -> {
          JsonNode match = here.path("properties").path(field.getKey());
          String name = where + "/" + field.getKey();
          if (match.isMissingNode()) {
            breaks.add(name + " is gone");
          } else {
            schema(name, field.getValue(), match, sent);
          }
        });
  }

  private void needs(String what, Set<String> more, Set<String> known) {
    more.stream().filter(one -> !known.contains(one)).forEach(one -> breaks.add(what + " " + one));
  }

  private void narrower(String where, JsonNode old, JsonNode here) {
    for (String rule : LEAST) {
      if (here.has(rule) && here.path(rule).asDouble() > old.path(rule).asDouble(-1e300)) {
        breaks.add(where + " has a larger " + rule);
      }
    }
    for (String rule : MOST) {
      if (here.has(rule) && here.path(rule).asDouble() < old.path(rule).asDouble(1e300)) {
        breaks.add(where + " has a smaller " + rule);
      }
    }
    if (here.has("pattern") && !here.path("pattern").equals(old.path("pattern"))) {
      breaks.add(where + " has another pattern");
    }
    boolean some = here.has("enum");
    if (some
        && !(old.has("enum") && texts(here.path("enum")).containsAll(texts(old.path("enum"))))) {
      breaks.add(where + " takes fewer values");
    }
  }

  private void alternatives(String where, JsonNode old, JsonNode here, boolean sent) {
    choices(old)
        .filter(one -> choices(here).noneMatch(other -> fits(one, other, sent)))
        .forEach(_ -> breaks.add(where + " has one alternative less"));
  }

  private static boolean hasChoices(JsonNode schema) {
    return schema.has("oneOf") || schema.has("anyOf");
  }

  /** One of them or any: no client breaks when the one word becomes the other. */
  private static Stream<JsonNode> choices(JsonNode schema) {
    return Stream.concat(schema.path("oneOf").valueStream(), schema.path("anyOf").valueStream());
  }

  private boolean fits(JsonNode one, JsonNode other, boolean sent) {
    ContractBreaks check = new ContractBreaks(before, now);
    check.open.addAll(open);
    check.schema("", one, other, sent);
    return check.breaks.isEmpty();
  }

  /** The schema behind a reference, with what it says beside the one that it extends. */
  private static JsonNode whole(JsonNode contract, JsonNode schema) {
    JsonNode here = in(contract, schema);
    if (!here.has("allOf")) {
      return here;
    }
    ObjectNode whole = ((ObjectNode) here).deepCopy();
    for (JsonNode part : here.path("allOf")) {
      whole(contract, part)
          .properties()
          .forEach(rule -> {
            if (!whole.has(rule.getKey())) {
              whole.set(rule.getKey(), rule.getValue());
            }
          });
    }
    return whole;
  }

  private static JsonNode in(JsonNode contract, JsonNode node) {
    return node.has("$ref") ? contract.at(node.path("$ref").asString().substring(1)) : node;
  }

  private static Set<String> scopes(JsonNode operation) {
    JsonNode security = operation.path("security").path(0);
    Set<String> needed = texts(security.path("token"));
    if (!security.isMissingNode()) {
      needed.add("a token");
    }
    return needed;
  }

  private static Set<String> texts(JsonNode node) {
    Stream<JsonNode> values = node.isArray() ? node.valueStream() : Stream.of(node);
    return values
        .filter(one -> !one.isMissingNode())
        .map(JsonNode::asString)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
