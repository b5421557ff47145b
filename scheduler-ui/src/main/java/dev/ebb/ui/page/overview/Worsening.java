package dev.ebb.ui.page.overview;

import dev.ebb.contract.FailingShare;
import dev.ebb.contract.WorseningList;
import dev.ebb.contract.WorseningSubject;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.svg.FailingBars;
import dev.ebb.ui.words.Search;
import dev.ebb.ui.words.SubjectWords;
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

  /**
   * A subject.
   *
   * @param bars the last hour, as a drawing
   * @param jobs the address of its jobs
   * @param dead the address of its dead letters
   */
  public record Row(WorseningSubject subject, String bars, String jobs, String dead) {
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
        list.items().stream().map(one -> row(page, list, one)).toList());
  }

  private static Row row(Page page, WorseningList list, WorseningSubject one) {
    String search = Search.token("subject", one.subject());
    return new Row(
        one,
        FailingBars.of(one.points(), list.asOf()),
        page.link("/jobs", "q", search),
        page.link("/jobs", "q", search + " state:dead"));
  }
}
