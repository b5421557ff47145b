/** The doctor: looks at this machine and its database, and says how to mend what is wrong. */
@NullMarked
package dev.ebb.app.doctor;

import org.jspecify.annotations.NullMarked;
