/** Answers the tools of operators: probes, metrics, and the API's own description. */
@NullMarked
package dev.ebb.api.system;

import org.jspecify.annotations.NullMarked;
