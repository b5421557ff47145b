/** What all pages share: the frame, the session, windows of time; a package for each page. */
@NullMarked
package dev.ebb.ui.page;

import org.jspecify.annotations.NullMarked;
