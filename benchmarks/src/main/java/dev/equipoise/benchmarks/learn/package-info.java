/**
 * Benchmark of training results: whole trainings on published data with the agent's classes, each
 * against a bound that such a network should reach.
 */
@NullMarked
package dev.equipoise.benchmarks.learn;

import org.jspecify.annotations.NullMarked;
