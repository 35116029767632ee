/** What exchanges cost on links with a latency and a bandwidth. */
@NullMarked
package dev.equipoise.performance.cost;

import org.jspecify.annotations.NullMarked;
