/**
 * How fast ranks exchange: real processes on this machine, beside gloo, OpenMPI and bare sockets.
 */
@NullMarked
package dev.equipoise.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
