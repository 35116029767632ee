/** The other half of a cycle between packages. */
@NullMarked
package dev.equipoise.agent.wrongtoo;

import org.jspecify.annotations.NullMarked;
