/**
 * Links that show one job's story to a merchant, without a token.
 *
 * <pre>
 *   POST /v1/jobs/ID/links ──▶ JobLinks: id, hash, end      GET /share/ID_SECRET
 *                                   │                                │
 *                                   └── live, and the same hash ─────▼
 *                                         SharedJobs ──▶ SharedJob, without what only we may see
 * </pre>
 */
@NullMarked
package dev.ebb.api.jobs.share;

import org.jspecify.annotations.NullMarked;
