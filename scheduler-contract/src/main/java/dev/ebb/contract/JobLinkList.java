package dev.ebb.contract;

import java.util.List;

/**
 * The live links of a job, the newest first.
 *
 * @param items the links
 */
public record JobLinkList(List<JobLink> items) {
  /** Keeps a copy of its list. */
  public JobLinkList {
    items = List.copyOf(items);
  }
}
