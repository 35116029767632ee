/** Benchmark of data loading, from files to mini-batches. */
@NullMarked
package dev.equipoise.benchmarks.load;

import org.jspecify.annotations.NullMarked;
