/** Answers without a record in the contract, and JSON texts within answers, as pages show them. */
@NullMarked
package dev.ebb.ui.answer;

import org.jspecify.annotations.NullMarked;
