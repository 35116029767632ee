/** Benchmark of virtual runs: the memory of many replicas in one process. */
@NullMarked
package dev.equipoise.benchmarks.replicas;

import org.jspecify.annotations.NullMarked;
