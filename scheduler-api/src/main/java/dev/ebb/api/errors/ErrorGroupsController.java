package dev.ebb.api.errors;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.Conditions;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.errors.ErrorGroupView;
import dev.ebb.db.errors.ErrorGroups;
import dev.ebb.db.errors.GroupBy;
import dev.ebb.db.errors.GroupChange;
import dev.ebb.db.errors.GroupQuery;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows groups of dead letters, and what people say of them. */
@Controller
@RequestMapping(produces = "application/json")
public final class ErrorGroupsController {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 100;

  private final Bodies bodies;
  private final ErrorGroups groups;

  ErrorGroupsController(Bodies bodies, ErrorGroups groups) {
    this.bodies = bodies;
    this.groups = groups;
  }

  @GetMapping("/v1/dead-letters/groups")
  @Needs(Scope.JOBS_READ)
  @QueryParameters({"by", "queue", "kind", "subject", "row", "cursor", "limit"})
  Answer list(Query query) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    return Answer.ok(
        ErrorGroupResource.page(
            groups.page(asked(query), ErrorGroupResource.position(query.value("cursor")), limit)));
  }

  private static GroupQuery asked(Query query) {
    String by = query.word("by", GroupBy.words(), GroupBy.ERROR_SUBJECT.word());
    String row = query.value("row");
    if (row != null && !by.equals(GroupBy.ERROR_SUBJECT.word())) {
      throw Refusal.parameter("row", "must not be given with by=" + by);
    }
    return new GroupQuery(
        GroupBy.of(by),
        name(query, "queue", NewJob::requireQueue),
        name(query, "kind", NewJob::requireKind),
        query.value("subject"),
        row == null ? null : id("row", row));
  }

  private static @Nullable String name(Query query, String parameter, Consumer<String> rule) {
    String name = query.value(parameter);
    try {
      if (name != null) {
        rule.accept(name);
      }
      return name;
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(parameter, invalid.rule());
    }
  }

  @GetMapping("/v1/dead-letters/groups/{id}")
  @Needs(Scope.JOBS_READ)
  Answer find(@PathVariable String id) throws SQLException {
    UUID group = id("id", id);
    return tagged(groups.find(group).orElseThrow(() -> unknown(group)));
  }

  /** Its tag is of what people said alone: the counts change by themselves. */
  private static Answer tagged(ErrorGroupView group) {
    return Answer.ok(ErrorGroupResource.of(group)).tagged(_ -> Answer.tag(group.mark()));
  }

  /** Acknowledges a group, or takes that back, and keeps who looks after it, and a note. */
  @PatchMapping("/v1/dead-letters/groups/{id}")
  @Needs(Scope.JOBS_OPERATE)
  Answer patch(HttpServletRequest request, @PathVariable String id) throws SQLException {
    UUID group = id("id", id);
    JsonObject body = bodies.mergePatch(request);
    body.allow("acknowledged", "assignee", "note", "reason");
    GroupChange change = change(body);
    Act act = Caller.of(request).act(request, body);
    Conditions conditions = Conditions.of(request);
    return tagged(
        groups
            .change(group, change, act, mark -> conditions.requireForPut(Answer.tag(mark)))
            .orElseThrow(() -> unknown(group)));
  }

  private static GroupChange change(JsonObject body) {
    Boolean acknowledged = body.optional("acknowledged", JsonValue::bool);
    boolean removed = body.names("acknowledged") && acknowledged == null;
    Boolean wanted = removed ? Boolean.FALSE : acknowledged;
    GroupChange.Words assignee = words(body, "assignee");
    GroupChange.Words note = words(body, "note");
    return body.build(() -> new GroupChange(wanted, assignee, note));
  }

  private static GroupChange.@Nullable Words words(JsonObject body, String field) {
    return body.names(field)
        ? new GroupChange.Words(body.optional(field, JsonValue::string))
        : null;
  }

  private static UUID id(String parameter, String id) {
    return Ids.read(id).orElseThrow(() -> Refusal.parameter(parameter, "must be a UUID"));
  }

  private static Refusal unknown(UUID group) {
    return Refusal.of(
        ProblemCode.GROUP_NOT_FOUND, "There is no group " + group + " of dead letters.");
  }
}
