/**
 * What is right or wrong with the database.
 *
 * <pre>
 *   db reads ──▶ Figures ──▶ Checkup ──▶ Findings      for REST, the page and ./ebb doctor
 *                            its table: *Checks.ALL, of each Check the figures, the rule, the judge
 * </pre>
 *
 * <p>A new check is one entry of a table and the method that judges.
 */
@NullMarked
package dev.ebb.core.health;

import org.jspecify.annotations.NullMarked;
