/** Parts of pages that tests generate from the sources: tables of settings and of options. */
@NullMarked
package dev.equipoise.testing.page;

import org.jspecify.annotations.NullMarked;
