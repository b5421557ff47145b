package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is signed of a job's history.
 *
 * @param exportedAt the moment that it shows, by the database's clock
 * @param exportedBy the name of the token by which it was exported
 * @param cluster the origin of the cluster's database; absent where that is not known
 * @param masked what is masked: secrets, payload, card_numbers, or a later word
 * @param erasedAt when its payload and the records of its attempts were erased; absent for never
 * @param attemptsGone how many attempts are kept no longer; absent where the attempts are cut
 * @param job the job as it was then
 * @param attempts cut where {@code nextCursor} is there
 * @param audit what people did to it, the newest entries; cut where {@code nextCursor} is there
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobExport(
    Instant exportedAt,
    String exportedBy,
    @Nullable String cluster,
    List<String> masked,
    @Nullable Instant erasedAt,
    @Nullable Integer attemptsGone,
    Job job,
    AttemptList attempts,
    AuditList audit) {
  /** Keeps a copy of its list. */
  public JobExport {
    masked = List.copyOf(masked);
  }
}
