/**
 * Where an agent's time comes from, how it is divided into phases, and how it is stretched so that
 * a fast machine stands in for a slow one.
 */
@NullMarked
package dev.equipoise.agent.time;

import org.jspecify.annotations.NullMarked;
