package dev.ebb.ui.page.files;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.CutAnswer;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.Paged;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.PageFailure;
import dev.ebb.ui.page.View;
import dev.ebb.ui.sheet.Sheet;
import dev.ebb.ui.sheet.SheetWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The rows of a list's filter as a file. */
@RestController
public final class SheetPage {
  private static final int AT_A_TIME = 4;

  private final View view;
  private final Semaphore places = new Semaphore(AT_A_TIME);

  SheetPage(View view) {
    this.view = view;
  }

  @GetMapping(View.ROOT + "/{list:[a-z]+}.{form:csv|json}")
  @Open
  @QueryParameters({"q", "by", "queue", "kind", "row", "actor", "action", "subject", "from", "to"})
  void show(
      HttpServletRequest request,
      HttpServletResponse response,
      @PathVariable String list,
      @PathVariable String form)
      throws IOException {
    Page page = view.page(request, response);
    write(page, Listing.of(list), form, request.getQueryString(), response);
  }

  /** What belongs to one thing: attempts to a job, fires to a schedule. */
  @GetMapping(View.ROOT + "/{owners:jobs|schedules}/{owner}/{list:[a-z]+}.{form:csv|json}")
  @Open
  void showOwned(
      HttpServletRequest request,
      HttpServletResponse response,
      @PathVariable String owners,
      @PathVariable String owner,
      @PathVariable String list,
      @PathVariable String form)
      throws IOException {
    Page page = view.page(request, response);
    Listing listing = Listing.of(owners + "/" + list);
    write(page, listing.ofOwner(owner), form, null, response);
  }

  private void write(
      Page page,
      Listing listing,
      String form,
      @Nullable String filter,
      HttpServletResponse response)
      throws IOException {
    if (!places.tryAcquire()) {
      throw Refusal.busy("Too many downloads in progress. Try again.");
    }
    try {
      Paged first = page.get(Paged.class, listing.at(filter, null));
      Sheet sheet = listing.sheet(form);
      response.setContentType(sheet.type());
      response.setHeader("Content-Disposition", disposition(page, listing.word(), form));
      new SheetWriter(sheet, response.getOutputStream(), System::nanoTime)
          .write(first, cursor -> next(page, listing.at(filter, cursor)));
    } finally {
      places.release();
    }
  }

  private static String disposition(Page page, String list, String form) {
    return "attachment; filename=\"ebb-"
        + list
        + "-"
        + page.now().atZone(ZoneOffset.UTC).toLocalDate()
        + "."
        + form
        + "\"";
  }

  private static Paged next(Page page, String target) {
    try {
      return page.get(Paged.class, target);
    } catch (PageFailure refused) {
      throw new CutAnswer(refused);
    }
  }
}
