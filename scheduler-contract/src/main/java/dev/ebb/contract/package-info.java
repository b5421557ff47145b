/**
 * What REST answers, as values: a record for each schema of {@code openapi.json} that is answered,
 * under the schema's name. A component that may be absent is {@code null} then.
 */
@NullMarked
package dev.ebb.contract;

import org.jspecify.annotations.NullMarked;
