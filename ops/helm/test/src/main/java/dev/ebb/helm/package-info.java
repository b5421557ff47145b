/** The Helm chart as Kubernetes reads it. */
@NullMarked
package dev.ebb.helm;

import org.jspecify.annotations.NullMarked;
