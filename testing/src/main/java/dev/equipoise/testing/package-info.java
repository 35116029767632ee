/** What the tests of all modules share: patience, seeds, and the tag of nightly tests. */
@NullMarked
package dev.equipoise.testing;

import org.jspecify.annotations.NullMarked;
