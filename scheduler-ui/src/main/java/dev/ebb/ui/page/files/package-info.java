/** Lists as files, and the suggestions of search boxes. */
@NullMarked
package dev.ebb.ui.page.files;

import org.jspecify.annotations.NullMarked;
