/** The roles that a process can have in a cluster, and the way in which a process ends. */
@NullMarked
package dev.ebb.app.roles;

import org.jspecify.annotations.NullMarked;
