/** Checks names and sentences of all sources and pages of the repository. */
@NullMarked
package dev.equipoise.testing.language;

import org.jspecify.annotations.NullMarked;
