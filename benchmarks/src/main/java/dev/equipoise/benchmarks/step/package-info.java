/**
 * Benchmark of a training step of the reference networks: forward pass, backward pass and update on
 * one mini-batch. Ours and the peer alternate, each in its own process.
 */
@NullMarked
package dev.equipoise.benchmarks.step;

import org.jspecify.annotations.NullMarked;
