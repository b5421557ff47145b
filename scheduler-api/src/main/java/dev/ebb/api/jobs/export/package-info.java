/**
 * A job's history as a file that proves where it comes from.
 *
 * <pre>
 *   db.view.JobHistory ──▶ JobExport ──masked for its reader──▶ bytes ──▶ SignedExport
 *                                                                 ▲
 *                       db.export.ExportKeys ──▶ ExportSigner ────┘
 * </pre>
 */
@NullMarked
package dev.ebb.api.jobs.export;

import org.jspecify.annotations.NullMarked;
