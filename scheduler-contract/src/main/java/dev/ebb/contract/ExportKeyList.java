package dev.ebb.contract;

import java.util.List;

/** All keys with which the cluster signed exports, the newest first: it is the one that signs. */
public record ExportKeyList(List<ExportKey> items) {
  public ExportKeyList {
    items = List.copyOf(items);
  }
}
