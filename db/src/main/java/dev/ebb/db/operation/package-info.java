/**
 * Operations: actions on many jobs, which any node carries out, a batch at a time.
 *
 * <pre>
 *   Operations         what people ask: start, pause, resume, cancel, look
 *   OperationCarrier   takes the operation that is due next, and commits one step of it
 *     OperationStep      the step: looks at ended attempts, finds jobs, acts on some, notes it all
 *       JobScan            the filter's next jobs become items that wait
 *       StepBatch          what is done to jobs of any queues, in one statement
 *       OperationItems     what became of each job
 *   SubjectOperations  those that the choice of the label of subjects waits for
 * </pre>
 *
 * <p>A step is one transaction under the lock of the operation's row: the jobs, their items, the
 * counts and the position are written together. So a node may die at any instant, and any node
 * continues from there.
 */
@NullMarked
package dev.ebb.db.operation;

import org.jspecify.annotations.NullMarked;
