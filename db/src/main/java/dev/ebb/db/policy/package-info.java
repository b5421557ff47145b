/** Named retry policies, which queues follow. */
@NullMarked
package dev.ebb.db.policy;

import org.jspecify.annotations.NullMarked;
