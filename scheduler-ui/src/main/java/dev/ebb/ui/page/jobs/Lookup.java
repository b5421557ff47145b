package dev.ebb.ui.page.jobs;

import dev.ebb.api.http.Ids;
import dev.ebb.contract.Job;
import dev.ebb.contract.JobList;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.ui.page.LabelNames;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.Url;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the text of a search names exactly: a job by its id or its unique key, jobs by their
 * ordering key, and a single word by a label; and a destination by its name. These are found at
 * once among all jobs, where a word as a text is looked for in one job after the other.
 *
 * @param destination of which the word is the name; {@code null} for none
 * @param matches searches that find the jobs
 * @param named whether the word is an id, a key or a number, and not a usual word that happens to
 *     be a label's value
 */
public record Lookup(@Nullable String destination, List<Match> matches, boolean named) {
  /** Of a word that names nothing. */
  static final Lookup NONE = new Lookup(null, List.of(), false);

  private static final Pattern WORD = Pattern.compile("[^\\s\"-][^\\s\"]{0,199}");
  private static final int LONGEST = 200;

  private static final Pattern KEY =
      Pattern.compile("(?:key|ordering):(?:\"([^\"\\\\]+)\"|([^\\s\"]+))");
  private static final Pattern LABEL = Pattern.compile("([^\\s\"=:]+=[^\\s\"]+)");

  private static final Pattern FIELD =
      Pattern.compile("(" + String.join("|", FilterBuilder.FIELDS) + "|payload\\..+?)[:<>=].*");

  /** What has a digit is the number of something, however many texts contain it. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]");

  /**
   * Jobs that the word names.
   *
   * @param only the one job; {@code null} if there are several
   */
  public record Match(String search, @Nullable String only) {}

  /** What the search names. */
  static Lookup of(Page page, @Nullable String typed) {
    String search = typed == null ? "" : typed.strip();
    Matcher key = KEY.matcher(search);
    if (key.matches()) {
      return new Lookup(null, jobs(page, search), true);
    }
    if (search.isEmpty() || search.length() > LONGEST || FIELD.matcher(search).matches()) {
      return NONE;
    }
    if (Ids.read(search).isPresent() && page.ask("/v1/jobs/" + search).isOk()) {
      return new Lookup(null, List.of(new Match(search, search)), true);
    }
    List<Match> matches = new ArrayList<>(jobs(page, Search.token("key", search)));
    matches.addAll(jobs(page, Search.token("ordering", search)));
    boolean isKey = !matches.isEmpty();
    String destination = null;
    if (WORD.matcher(search).matches()) {
      matches.addAll(labelled(page, search));
      destination = destination(page, search);
    }
    return new Lookup(destination, matches, isKey || NUMBER.matcher(search).find());
  }

  private static @Nullable String destination(Page page, String word) {
    return page.ask("/v1/destinations/" + Url.segment(word)).isOk() ? word : null;
  }

  /** By a label with its name, such as order=9981; or by the value alone, whatever its name. */
  private static List<Match> labelled(Page page, String word) {
    Matcher label = LABEL.matcher(word);
    if (label.matches()) {
      return jobs(page, Search.token("label", label.group(1)));
    }
    return LabelNames.seen(page).stream()
        .flatMap(name -> jobs(page, Search.token("label", name + "=" + word)).stream())
        .toList();
  }

  private static List<Match> jobs(Page page, String search) {
    String target = Url.of("/v1/jobs", "q", search, "limit", "2");
    List<Job> jobs = page.known(JobList.class, target, JobList::items);
    if (jobs.isEmpty()) {
      return List.of();
    }
    return List.of(new Match(search, jobs.size() == 1 ? jobs.getFirst().id() : null));
  }

  /**
   * The job that the search is for; {@code null} for several, and where a destination is meant as
   * likely. A label's value may be a usual word: then it is one only if the search, by its text,
   * finds no others.
   */
  @Nullable String only(@Nullable JobList found) {
    List<String> jobs =
        matches.stream().map(Match::only).filter(Objects::nonNull).distinct().toList();
    if (destination != null
        || jobs.size() != 1
        || matches.stream().anyMatch(match -> match.only() == null)) {
      return null;
    }
    String job = jobs.getFirst();
    boolean alone = found == null || found.items().stream().allMatch(one -> one.id().equals(job));
    return named || alone ? job : null;
  }
}
