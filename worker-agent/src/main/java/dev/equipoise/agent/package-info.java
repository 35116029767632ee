/**
 * The agent and its duty cycle: join, lease, profile or train, report, leave. What depends on the
 * process and the machine, its clocks, threads and addresses, is made here and handed down.
 */
@NullMarked
package dev.equipoise.agent;

import org.jspecify.annotations.NullMarked;
