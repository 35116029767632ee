/** Benchmarks of the simulator that predicts runs: its speed with up to 10,000 workers. */
@NullMarked
package dev.equipoise.benchmarks.simulate;

import org.jspecify.annotations.NullMarked;
