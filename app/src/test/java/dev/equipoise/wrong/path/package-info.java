/** Violates an architecture rule on purpose, for the test of the rules. */
@NullMarked
package dev.equipoise.wrong.path;

import org.jspecify.annotations.NullMarked;
