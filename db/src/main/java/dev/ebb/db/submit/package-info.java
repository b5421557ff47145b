/**
 * The verb submit: new jobs in one statement, and the group commit of jobs that come one by one.
 *
 * <pre>
 *   Submitter ──▶ CommitBatcher ──▶ Submit        one batcher for plain jobs, one for unique keys
 *       └──────── jobs that cannot share a commit ──▶ Submit
 * </pre>
 */
@NullMarked
package dev.ebb.db.submit;

import org.jspecify.annotations.NullMarked;
