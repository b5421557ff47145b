/** Reports measurements: numbers in, Markdown and SVG out. */
@NullMarked
package dev.ebb.bench.report;

import org.jspecify.annotations.NullMarked;
