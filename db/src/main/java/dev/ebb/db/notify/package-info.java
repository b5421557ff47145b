/**
 * Notifications that there is work, by LISTEN and NOTIFY. A lost notification costs only time:
 * workers poll as well.
 */
@NullMarked
package dev.ebb.db.notify;

import org.jspecify.annotations.NullMarked;
