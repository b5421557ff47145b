/** An application that lives below the name of Spring's own classes, as its samples do. */
@NullMarked
package org.springframework.samples;

import org.jspecify.annotations.NullMarked;
