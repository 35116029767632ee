/**
 * Worker agent. {@code lifecycle} assembles the parts and runs them; {@code training} trains a rank
 * of a real run, and {@code simulation} plays all ranks of a virtual one; the other packages have
 * what these are made of.
 */
@NullMarked
package dev.equipoise.agent;

import org.jspecify.annotations.NullMarked;
