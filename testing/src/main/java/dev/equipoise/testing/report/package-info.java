/** What the gate says of its tests at the end. */
@NullMarked
package dev.equipoise.testing.report;

import org.jspecify.annotations.NullMarked;
