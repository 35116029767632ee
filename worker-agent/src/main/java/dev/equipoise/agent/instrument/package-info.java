/** Measurement of a rank's training: phase times, traffic by kind, staleness, and wait times. */
@NullMarked
package dev.equipoise.agent.instrument;

import org.jspecify.annotations.NullMarked;
