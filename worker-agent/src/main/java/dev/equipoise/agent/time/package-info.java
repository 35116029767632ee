/**
 * Where an agent's time comes from, how it is stretched so that a fast machine stands in for a slow
 * one, and what goes on in the background meanwhile.
 */
@NullMarked
package dev.equipoise.agent.time;

import org.jspecify.annotations.NullMarked;
