/**
 * Values and pure decisions: no SQL, no clock, no thread, no framework. Time and randomness are
 * arguments.
 *
 * <pre>
 *   job ───▶ retry ──▶ core      what a job is and what its outcome leads to; when it runs again
 *   query ─▶ job, core           which jobs a list shows, as a filter and as a text
 *   limit ───────────▶ core      how fast a queue may start its jobs
 *   http ────────────▶ core      what a delivery is, and what may be called or kept of it
 *   failure ▶ job, core           what failures have in common
 *   stats                        lengths of time by bucket
 *   health                       what is right or wrong with the database
 * </pre>
 *
 * <p>This package itself holds the types that all of them use.
 */
@NullMarked
package dev.ebb.core;

import org.jspecify.annotations.NullMarked;
