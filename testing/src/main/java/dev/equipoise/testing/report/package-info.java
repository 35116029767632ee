/** Summarizes the test reports of a gate. */
@NullMarked
package dev.equipoise.testing.report;

import org.jspecify.annotations.NullMarked;
