/** How fast gradients are made smaller and restored, on one thread, and how small they become. */
@NullMarked
package dev.equipoise.benchmarks.codec;

import org.jspecify.annotations.NullMarked;
