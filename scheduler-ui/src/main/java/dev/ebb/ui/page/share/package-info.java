/** The page behind a link, for a merchant: no part of the dashboard, and no way into it. */
@NullMarked
package dev.ebb.ui.page.share;

import org.jspecify.annotations.NullMarked;
