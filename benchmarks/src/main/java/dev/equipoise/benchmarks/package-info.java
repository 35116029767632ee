/**
 * Benchmarks of {@code ./equipoise bench}, measured in alternation with the peer programs that a
 * user might choose instead.
 */
@NullMarked
package dev.equipoise.benchmarks;

import org.jspecify.annotations.NullMarked;
