/** Breaks rules on purpose, so that the test of the rules sees them broken. */
@NullMarked
package dev.equipoise.protocol.wrong;

import org.jspecify.annotations.NullMarked;
