/** Tomcat as the API needs it: ports, headers, and the bounds on connections that Tomcat lacks. */
@NullMarked
package dev.ebb.api.server;

import org.jspecify.annotations.NullMarked;
