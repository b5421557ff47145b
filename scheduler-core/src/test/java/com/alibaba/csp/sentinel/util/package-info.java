/** What stands before a class of Sentinel's, so that a test can set its clock. */
@NullMarked
package com.alibaba.csp.sentinel.util;

import org.jspecify.annotations.NullMarked;
