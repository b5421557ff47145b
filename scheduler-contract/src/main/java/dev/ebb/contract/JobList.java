package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs; it may be short, even empty, before the end.
 *
 * @param items the jobs of the page
 * @param nextCursor of the next page; absent at the end
 * @param looked how far the page looked for its jobs
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobList(List<Job> items, @Nullable String nextCursor, SearchReach looked)
    implements Paged {

  /**
   * How far a page looked.
   *
   * @param jobs at how many jobs it looked
   * @param backTo newest first: when the oldest job was submitted at which it looked
   * @param upTo oldest first: when the newest job was submitted at which it looked
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SearchReach(int jobs, @Nullable Instant backTo, @Nullable Instant upTo) {}
}
