package dev.ebb.ui.svg;

import dev.ebb.contract.QueueWaiting;
import dev.ebb.ui.svg.PlotSheet.At;
import dev.ebb.ui.svg.PlotSheet.Tick;
import dev.ebb.ui.words.Words;
import java.util.ArrayList;
import java.util.List;

/** Draws how many of a queue's jobs wait after how many attempts; each bar leads to its jobs. */
public final class AttemptChart {
  private static final List<String> NUMBERS =
      List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10+");

  private final QueueWaiting waiting;
  private final JobLinks links;

  private AttemptChart(QueueWaiting waiting, JobLinks links) {
    this.waiting = waiting;
    this.links = links;
  }

  /** The bars from the first attempt on. */
  public static Figure of(QueueWaiting waiting, JobLinks links) {
    AttemptChart chart = new AttemptChart(waiting, links);
    List<String> shown = NUMBERS.stream().filter(one -> waiting.of(one) > 0).toList();
    return new Figure(
            chart.draw(),
            chart.caption(),
            List.of("Attempts so far", "Jobs"),
            shown.stream().map(chart::row).toList())
        .leading(shown.stream().map(one -> List.of("", chart.link(one))).toList());
  }

  private List<String> row(String number) {
    return List.of(name(number), Words.number(waiting.of(number), waiting.exact()));
  }

  private String link(String number) {
    String token = number.equals("10+") ? "attempts>=10" : "attempts:" + number;
    return JobLinks.ifAny(waiting.of(number), links.waiting(token));
  }

  private static String name(String number) {
    return number.equals("0") ? "none yet" : number.equals("10+") ? "10 or more" : number;
  }

  private String draw() {
    long most = NUMBERS.stream().mapToLong(waiting::of).max().orElse(0);
    var ticks = Ticks.counts((double) Math.max(1, most));
    // One place more: the name of the last bar stands below its middle on a phone, too.
    Plot plot = new Plot(0, NUMBERS.size() + 1.0, 0, ticks.getLast().at());
    List<Tick> places = new ArrayList<>();
    for (int i = 0; i < NUMBERS.size(); i++) {
      places.add(new Tick(i + 0.5, NUMBERS.get(i)));
    }
    plot.axes(places, ticks);
    plot.legend("try1", "first attempt");
    plot.legend("try3", "retried before");
    for (int i = 0; i < NUMBERS.size(); i++) {
      bar(plot, i, NUMBERS.get(i));
    }
    return plot.svg("Waiting jobs by attempts so far");
  }

  private void bar(Plot plot, int place, String number) {
    long jobs = waiting.of(number);
    if (jobs > 0) {
      String title = "attempts so far: " + name(number) + "; " + jobs(jobs);
      At from = new At(place + 0.1, 0);
      At to = new At(place + 0.9, (double) jobs);
      plot.bar(place == 0 ? "try1" : "try3", from, to, title, link(number));
    }
  }

  private String caption() {
    if (waiting.jobs() == 0) {
      return waiting.exact() ? "No jobs are waiting." : "A sample of the jobs has none that waits.";
    }
    long first = waiting.of("0");
    long tried = waiting.jobs() - first;
    List<String> clauses = new ArrayList<>();
    if (Words.isKnown(first, waiting.exact())) {
      clauses.add(jobs(first) + (first == 1 ? " waits" : " wait") + " for the first attempt");
    }
    if (Words.isKnown(tried, waiting.exact())) {
      clauses.add(
          Words.number(tried, waiting.exact())
              + " had at least one"
              + (clauses.isEmpty() ? " attempt" : ""));
    }
    String words = String.join("; ", clauses) + ".";
    return waiting.exact() ? words : words + " The numbers are estimates from a sample.";
  }

  private String jobs(long jobs) {
    return Words.counted(jobs, waiting.exact(), "job");
  }
}
