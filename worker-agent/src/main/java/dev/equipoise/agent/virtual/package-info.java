/**
 * Runs all ranks of a run in this process on a virtual clock: real computing and real exchanges, at
 * the times that models of the machines and of their links give. One rank goes on at a time, always
 * the one whose clock is least, so that a run is the same to the last bit wherever it is made.
 */
@NullMarked
package dev.equipoise.agent.virtual;

import org.jspecify.annotations.NullMarked;
