package dev.ebb.api.queues;

import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.JobAnswers;
import dev.ebb.contract.BlockedKeys;
import java.util.List;

/** Shows which ordering keys of a queue wait, and for which jobs. */
final class BlockedKeysResource {
  private BlockedKeysResource() {}

  static BlockedKeys of(String queue, dev.ebb.db.view.BlockedKeys found) {
    return new BlockedKeys(
        queue,
        Answer.shown(found.asOf()),
        found.keys(),
        found.exact(),
        found.longest().stream().map(key -> of(key, found)).toList());
  }

  private static BlockedKeys.BlockedKey of(
      dev.ebb.db.view.BlockedKeys.BlockedKey key, dev.ebb.db.view.BlockedKeys found) {
    return new BlockedKeys.BlockedKey(
        key.key(),
        Answer.shown(key.since()),
        Answer.shownOrNull(key.until()),
        key.waiting(),
        key.exact(),
        JobAnswers.samples(List.of(key.first()), found.asOf()).getFirst());
  }
}
