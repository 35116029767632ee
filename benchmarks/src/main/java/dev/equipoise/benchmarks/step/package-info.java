/**
 * A training step of the reference networks: forward, backward and update on one mini-batch. Ours
 * and the peer's run in turns, each in a process of its own.
 */
@NullMarked
package dev.equipoise.benchmarks.step;

import org.jspecify.annotations.NullMarked;
