/**
 * Benchmarks of exchanges: real processes on this machine, compared with gloo, OpenMPI and bare
 * sockets.
 */
@NullMarked
package dev.equipoise.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
