/** Second half of a cycle between packages, on purpose, for the test of the rules. */
@NullMarked
package dev.equipoise.agent.wrongtoo;

import org.jspecify.annotations.NullMarked;
