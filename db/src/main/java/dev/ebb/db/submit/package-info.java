/**
 * The verb submit: new jobs in one statement, and the group commit of jobs that come one by one.
 *
 * <pre>
 *   Submitter ──▶ CommitBatcher ──▶ Submissions ──▶ Submit   plain jobs, and unique keys
 *       │               └─────────▶ KeyedBatch, KnownKeys    idempotency keys
 *       └──────── jobs that cannot share a commit ──▶ Submissions
 * </pre>
 */
@NullMarked
package dev.ebb.db.submit;

import org.jspecify.annotations.NullMarked;
