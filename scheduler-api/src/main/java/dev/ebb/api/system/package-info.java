/** What operators' tools ask for: probes, metrics, the API's own description. */
@NullMarked
package dev.ebb.api.system;

import org.jspecify.annotations.NullMarked;
