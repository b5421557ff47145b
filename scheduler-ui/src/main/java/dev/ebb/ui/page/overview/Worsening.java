package dev.ebb.ui.page.overview;

import dev.ebb.contract.ErrorGroupList;
import dev.ebb.contract.FailingShare;
import dev.ebb.contract.WorseningList;
import dev.ebb.contract.WorseningSubject;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.svg.FailingBars;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.SubjectWords;
import dev.ebb.ui.words.Url;
import dev.ebb.ui.words.Words;
import java.util.List;

/**
 * The subjects that get worse.
 *
 * @param title what they are called, as a heading
 * @param head what one of them is called, as a heading
 * @param one the same within a sentence
 * @param counted whether attempts of any subject ended in the last hour
 */
public record Worsening(String title, String head, String one, boolean counted, List<Row> rows) {
  private static final int MOST = 5;
  private static final String GROUPS = "/v1/dead-letters/groups";

  /**
   * A subject.
   *
   * @param bars the last hour, as a drawing
   * @param address of its page if it is a destination; else of its dead letters in rows, if there
   *     are any, and else of its jobs
   * @param jobs the address of its jobs
   */
  public record Row(WorseningSubject subject, String bars, String address, String jobs) {
    public String before() {
      return percent(subject.before());
    }

    public String now() {
      return percent(subject.now());
    }

    private static String percent(FailingShare share) {
      return share.share() == null ? "–" : Words.percent(share.share());
    }
  }

  static Worsening read(Page page) {
    WorseningList list = page.get(WorseningList.class, "/v1/subjects/worsening?limit=" + MOST);
    return new Worsening(
        SubjectWords.several(list.label()) + " getting worse",
        SubjectWords.title(list.label()),
        SubjectWords.one(list.label()),
        list.counted() > 0,
        rows(page, list));
  }

  private static List<Row> rows(Page page, WorseningList list) {
    if (list.items().isEmpty()) {
      return List.of();
    }
    ErrorGroupList dead = page.get(ErrorGroupList.class, Url.of(GROUPS, "by", "subject"));
    return list.items().stream().map(one -> row(page, list, one, dead)).toList();
  }

  private static Row row(Page page, WorseningList list, WorseningSubject one, ErrorGroupList dead) {
    String subject = one.subject();
    String jobs = page.link("/jobs", "q", Search.token("subject", subject));
    return new Row(
        one,
        FailingBars.of(one.points(), list.asOf()),
        address(page, list, subject, dead, jobs),
        jobs);
  }

  private static String address(
      Page page, WorseningList list, String subject, ErrorGroupList dead, String jobs) {
    if (list.label() == null && isDestination(page, subject)) {
      return page.link("/destinations/" + Url.segment(subject));
    }
    return hasDead(page, subject, dead) ? page.link("/dead", "subject", subject) : jobs;
  }

  /** A host is a subject, too, and no name of a destination. */
  private static boolean isDestination(Page page, String subject) {
    return page.ask("/v1/destinations/" + Url.segment(subject)).isOk();
  }

  /** Whether it is among the subjects with the most dead letters, or else has any. */
  private static boolean hasDead(Page page, String subject, ErrorGroupList most) {
    if (most.items().stream().anyMatch(row -> subject.equals(row.subject()))) {
      return true;
    }
    String groups = Url.of(GROUPS, "subject", subject, "limit", "1");
    return most.nextCursor() != null && !page.get(ErrorGroupList.class, groups).items().isEmpty();
  }
}
