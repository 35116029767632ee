/** How long it takes from files to mini-batches that are ready. */
@NullMarked
package dev.equipoise.benchmarks.load;

import org.jspecify.annotations.NullMarked;
