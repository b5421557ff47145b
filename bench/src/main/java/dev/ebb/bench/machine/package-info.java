/** The machine under the bench: the PostgreSQL server, its databases, and processor time. */
@NullMarked
package dev.ebb.bench.machine;

import org.jspecify.annotations.NullMarked;
