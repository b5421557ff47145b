/**
 * The executable: reads the command line, and runs one of the roles until it is told to end.
 *
 * <pre>
 *   Ebb ───▶ roles       server, api, worker, migrate; merchant
 *     ├────▶ doctor      what is wrong, and how to fix it
 *     └────▶ settings    read from the environment
 * </pre>
 */
@NullMarked
package dev.ebb.app;

import org.jspecify.annotations.NullMarked;
