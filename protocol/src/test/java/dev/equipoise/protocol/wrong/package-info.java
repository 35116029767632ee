/**
 * Violates the rules of {@code ArchitectureTest} on purpose, so that the test can detect a
 * violation.
 */
@NullMarked
package dev.equipoise.protocol.wrong;

import org.jspecify.annotations.NullMarked;
