package dev.ebb.contract;

import java.util.List;

/** The live links of a job, the newest first. */
public record JobLinkList(List<JobLink> items) {
  public JobLinkList {
    items = List.copyOf(items);
  }
}
