/**
 * The formats that are stored as JSON: retry policies, rate limits, and the payloads of deliveries.
 * Each format is read and written only here, for the database and REST alike.
 */
@NullMarked
package dev.ebb.db.json;

import org.jspecify.annotations.NullMarked;
