/**
 * Hybrid parallelism for a perceptron with one hidden layer: how groups of processors share samples
 * and hidden units, and the number of groups with the least predicted time (docs/algorithms.md,
 * section 8, which corrects the misprints of the source).
 */
@NullMarked
package dev.equipoise.performance.hybrid;

import org.jspecify.annotations.NullMarked;
