package dev.ebb.bench.child;

import tools.jackson.databind.json.JsonMapper;

/** The protocol between harness and child: a request or an answer is one line. */
final class Lines {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Lines() {}

  static String write(Request request) {
    return JSON.writerFor(Request.class).writeValueAsString(request);
  }

  static String write(Answer answer) {
    return JSON.writeValueAsString(answer);
  }

  static Request request(String line) {
    return JSON.readValue(line, Request.class);
  }

  static Answer answer(String line) {
    return JSON.readValue(line, Answer.class);
  }
}
