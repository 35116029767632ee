/**
 * How the service bears a lab: it is started as a process of its own, and this one is its load,
 * over loopback, as agents and people are.
 */
@NullMarked
package dev.equipoise.benchmarks.api;

import org.jspecify.annotations.NullMarked;
