/** How long it takes to say how long a run would take. */
@NullMarked
package dev.equipoise.benchmarks.simulate;

import org.jspecify.annotations.NullMarked;
