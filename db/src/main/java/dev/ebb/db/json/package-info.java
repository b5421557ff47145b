/**
 * The formats that are stored as JSON: retry policies, rate limits, the payloads of deliveries, and
 * the jobs of schedules. Each format is read and written only here, for the database and REST
 * alike.
 */
@NullMarked
package dev.ebb.db.json;

import org.jspecify.annotations.NullMarked;
