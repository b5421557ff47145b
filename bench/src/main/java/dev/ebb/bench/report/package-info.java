/** What was measured, and how it is shown to people: numbers in, Markdown and SVG out. */
@NullMarked
package dev.ebb.bench.report;

import org.jspecify.annotations.NullMarked;
