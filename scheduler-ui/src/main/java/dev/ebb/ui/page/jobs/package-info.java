/** Lists of jobs, and one job with its story. */
@NullMarked
package dev.ebb.ui.page.jobs;

import org.jspecify.annotations.NullMarked;
