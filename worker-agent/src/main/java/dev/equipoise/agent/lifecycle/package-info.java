/**
 * Agent and its main loop: join, lease, profile or train, report, leave. Everything that depends on
 * the process and the host, such as clocks, threads and addresses, is created here and passed down.
 */
@NullMarked
package dev.equipoise.agent.lifecycle;

import org.jspecify.annotations.NullMarked;
