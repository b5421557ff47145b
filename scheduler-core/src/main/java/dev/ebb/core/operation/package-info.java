/** What people do to jobs, and how an operation does it to many: its pace, and when it stops. */
@NullMarked
package dev.ebb.core.operation;

import org.jspecify.annotations.NullMarked;
