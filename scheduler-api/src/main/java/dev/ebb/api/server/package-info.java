/** Tomcat as the API needs it: its ports, and bounds on connections that it lacks. */
@NullMarked
package dev.ebb.api.server;

import org.jspecify.annotations.NullMarked;
