/**
 * What our networks learn: whole trainings on published data by the parts that an agent trains
 * with, each against a bound that such a network should reach.
 */
@NullMarked
package dev.equipoise.benchmarks.learn;

import org.jspecify.annotations.NullMarked;
