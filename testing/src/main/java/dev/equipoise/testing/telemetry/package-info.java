/** Support for tests of metrics and traces: scrapes, tables of metrics and a trace collector. */
@NullMarked
package dev.equipoise.testing.telemetry;

import org.jspecify.annotations.NullMarked;
