/** The doctor: checks this machine and its database, and says how to fix what is wrong. */
@NullMarked
package dev.ebb.app.doctor;

import org.jspecify.annotations.NullMarked;
