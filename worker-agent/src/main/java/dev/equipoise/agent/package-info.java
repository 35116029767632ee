/** The agent and its duty cycle: join, lease, profile or train, report, drain. */
@NullMarked
package dev.equipoise.agent;

import org.jspecify.annotations.NullMarked;
