/** Statistics of repeated runs: intervals of means, paired comparisons and tie groups. */
@NullMarked
package dev.equipoise.performance.statistics;

import org.jspecify.annotations.NullMarked;
