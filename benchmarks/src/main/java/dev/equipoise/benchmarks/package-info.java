/**
 * {@code ./equipoise bench}: how fast we are, in turns with the programs that a user would pick
 * instead.
 */
@NullMarked
package dev.equipoise.benchmarks;

import org.jspecify.annotations.NullMarked;
