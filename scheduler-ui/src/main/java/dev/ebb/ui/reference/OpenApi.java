package dev.ebb.ui.reference;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** A contract as a tree whose references are followed. */
record OpenApi(JsonNode root) {

  /** The node, or what it refers to. */
  JsonNode resolved(JsonNode node) {
    String reference = reference(node);
    return reference.isEmpty() ? node : resolved(root.at(reference.substring(1)));
  }

  /** The name of the component that the node refers to; empty if it says all itself. */
  static String component(JsonNode node) {
    String reference = reference(node);
    return reference.substring(reference.lastIndexOf('/') + 1);
  }

  private static String reference(JsonNode node) {
    return text(node, "$ref");
  }

  /** The text of a member; empty if it is missing. */
  static String text(JsonNode node, String name) {
    return node.path(name).asString("");
  }

  /** The elements of a member. */
  static List<JsonNode> list(JsonNode node, String name) {
    return node.path(name).valueStream().toList();
  }

  /** The elements of a member, which are texts. */
  static List<String> texts(JsonNode node, String name) {
    return node.path(name).valueStream().map(JsonNode::asString).toList();
  }
}
