/** What has to be in Guava's package to set the clock of its limiters. */
@NullMarked
package com.google.common.util.concurrent;

import org.jspecify.annotations.NullMarked;
