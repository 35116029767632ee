/**
 * Load tests of the service. The service runs in its own process; this process sends it the
 * requests of agents and users over loopback.
 */
@NullMarked
package dev.equipoise.benchmarks.api;

import org.jspecify.annotations.NullMarked;
