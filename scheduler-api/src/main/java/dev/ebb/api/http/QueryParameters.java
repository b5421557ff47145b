package dev.ebb.api.http;

import dev.ebb.core.query.QueryField;
import dev.ebb.core.query.QueryField.Form;
import dev.ebb.core.query.QueryField.Parameter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The query parameters that a route takes; one without it takes none. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface QueryParameters {
  String[] value() default {};

  /** Those of them that may be given more than once. */
  String[] repeated() default {};

  /** Those that narrow jobs, of which it takes these as well. */
  Filter filter() default Filter.NONE;

  /** Parameters that narrow jobs: the query, and those of its fields. */
  enum Filter {
    NONE,
    JOBS,
    /** An event has no payload, no group and no ordering key. */
    EVENTS;

    private static final Set<String> UNTOLD = Set.of("payload", "group", "ordering");

    private boolean takes(QueryField field) {
      return switch (this) {
        case NONE -> false;
        case JOBS -> true;
        case EVENTS -> !UNTOLD.contains(field.name());
      };
    }

    private Stream<Parameter> parameters() {
      return QueryField.ALL.stream()
          .filter(this::takes)
          .flatMap(field -> field.parameters().stream());
    }

    public List<String> names() {
      return this == NONE
          ? List.of()
          : Stream.concat(Stream.of("q"), parameters().map(Parameter::name)).toList();
    }

    List<String> repeated() {
      return parameters()
          .filter(parameter -> parameter.form() == Form.LIST)
          .map(Parameter::name)
          .toList();
    }
  }
}
