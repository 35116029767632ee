/** Checks names and sentences of all sources of the repository. */
@NullMarked
package dev.equipoise.testing.language;

import org.jspecify.annotations.NullMarked;
