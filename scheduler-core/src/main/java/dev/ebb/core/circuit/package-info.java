/**
 * The circuit of a destination: when its jobs wait because it fails, and how they come back.
 *
 * <pre>
 *   outcome ──Vote──▶ Ballot ──told──▶ Circuit ──admits──▶ claim
 * </pre>
 */
@NullMarked
package dev.ebb.core.circuit;

import org.jspecify.annotations.NullMarked;
