/** The reference of the REST API: the contract, {@code openapi.json}, as a page shows it. */
@NullMarked
package dev.ebb.ui.reference;

import org.jspecify.annotations.NullMarked;
