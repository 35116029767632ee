/**
 * Support for the tests of all modules: timeouts, seeds, temporary folders, certificates and the
 * tag of nightly tests.
 */
@NullMarked
package dev.equipoise.testing;

import org.jspecify.annotations.NullMarked;
