/** The roles that a process can have in a cluster, and how it ends. */
@NullMarked
package dev.ebb.app.roles;

import org.jspecify.annotations.NullMarked;
