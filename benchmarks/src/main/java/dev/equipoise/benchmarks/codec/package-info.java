/** Benchmark of codecs: encoding and decoding speed of one thread, and frame sizes. */
@NullMarked
package dev.equipoise.benchmarks.codec;

import org.jspecify.annotations.NullMarked;
