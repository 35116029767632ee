/** How many replicas one machine bears on a virtual clock. */
@NullMarked
package dev.equipoise.benchmarks.replicas;

import org.jspecify.annotations.NullMarked;
