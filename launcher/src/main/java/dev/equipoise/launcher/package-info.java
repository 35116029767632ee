/** Commands that start a lab on this machine, drive it over the HTTP API and report the results. */
@NullMarked
package dev.equipoise.launcher;

import org.jspecify.annotations.NullMarked;
