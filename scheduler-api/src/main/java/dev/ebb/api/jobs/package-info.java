/**
 * The resource {@code /v1/jobs}: how a job is written and shown, and a package for each thing that
 * is done with one.
 *
 * <pre>
 *   submit    stores one or many, and tells what would be stored
 *   read      one, lists, attempts, audit; requests that wait for a change
 *   waiting   why one waits
 *   share     links that show one to a merchant
 *   export    one with all that happened to it, as a signed file
 *   change    what people do to one; it takes bodies as submit does
 * </pre>
 */
@NullMarked
package dev.ebb.api.jobs;

import org.jspecify.annotations.NullMarked;
