/**
 * The verb submit: new jobs in one statement, and the group commit of those that come one by one.
 *
 * <pre>
 *   Submitter ──▶ CommitBatcher ──▶ Submit        one batcher for plain jobs, one for unique keys
 *       └──────── what must not wait with others ──▶ Submit
 * </pre>
 */
@NullMarked
package dev.ebb.db.submit;

import org.jspecify.annotations.NullMarked;
