package dev.ebb.ui.page.jobs;

import dev.ebb.api.access.Session;
import dev.ebb.ui.page.View;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a list of jobs: those that its address names, or else those that this browser's
 * user chose last, or else the usual ones.
 *
 * @param shown in their order
 * @param named whether the address names them
 */
public record JobColumns(List<JobColumn> shown, boolean named) {
  private static final String COOKIE = "ebb-columns";
  private static final int YEAR = 365 * 86_400;

  /** What an address names to have the usual ones again. */
  static final String USUAL = "usual";

  /**
   * Those of a request; names that mean none are left out.
   *
   * @param values of its address, each with one name or more, between commas
   */
  static JobColumns of(HttpServletRequest request, List<String> values) {
    if (!values.isEmpty()) {
      return new JobColumns(named(String.join(",", values).split(",")), true);
    }
    String chosen = chosen(request);
    return new JobColumns(
        chosen == null ? List.copyOf(JobColumn.USUAL) : named(chosen.split("\\.")), false);
  }

  private static List<JobColumn> named(String[] words) {
    Set<String> all = Set.copyOf(Arrays.asList(words));
    if (all.contains(USUAL)) {
      return List.copyOf(JobColumn.USUAL);
    }
    Set<JobColumn> chosen = EnumSet.of(JobColumn.JOB);
    for (JobColumn column : JobColumn.choices()) {
      if (all.contains(column.word())) {
        chosen.add(column);
      }
    }
    return List.copyOf(chosen);
  }

  private static @Nullable String chosen(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    return cookies == null
        ? null
        : Arrays.stream(cookies)
            .filter(cookie -> cookie.getName().equals(COOKIE) && !cookie.getValue().isEmpty())
            .map(Cookie::getValue)
            .findFirst()
            .orElse(null);
  }

  /**
   * The cookie by which the browser keeps them, for the header {@code Set-Cookie}; the usual ones
   * need none.
   *
   * @param prefix where a proxy put the server; mostly empty
   */
  String kept(HttpServletRequest request, String prefix) {
    return COOKIE
        + "="
        + (isUsual() ? "" : joined("."))
        + "; Path="
        + prefix
        + View.ROOT
        + "; HttpOnly; SameSite=Lax; Max-Age="
        + (isUsual() ? 0 : YEAR)
        + (Session.isSecure(request) ? "; Secure" : "");
  }

  /** All that can be chosen. */
  public List<JobColumn> choices() {
    return JobColumn.choices();
  }

  public boolean has(JobColumn column) {
    return shown.contains(column);
  }

  /** As the addresses of this list go on naming them; {@code null} where this one does not. */
  public @Nullable String words() {
    return named ? joined(",") : null;
  }

  /** As a saved view names them; {@code null} for the usual ones. */
  public @Nullable String saved() {
    return isUsual() ? null : joined(",");
  }

  private String joined(String between) {
    return shown.stream().map(JobColumn::word).collect(Collectors.joining(between));
  }

  public boolean isUsual() {
    return shown.equals(List.copyOf(JobColumn.USUAL));
  }
}
