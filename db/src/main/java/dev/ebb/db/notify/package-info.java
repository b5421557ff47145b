/**
 * Notifications that there is work, by LISTEN and NOTIFY. A lost one costs time and nothing else:
 * workers poll as well.
 */
@NullMarked
package dev.ebb.db.notify;

import org.jspecify.annotations.NullMarked;
