package dev.ebb.contract;

import java.util.List;

/**
 * All keys with which the cluster signed exports, the newest first: it is the one that signs.
 *
 * @param items the keys
 */
public record ExportKeyList(List<ExportKey> items) {
  /** Keeps a copy of its list. */
  public ExportKeyList {
    items = List.copyOf(items);
  }
}
