/** Signals that stop a command, and what becomes of the runs that it has submitted. */
@NullMarked
package dev.equipoise.launcher.interrupt;

import org.jspecify.annotations.NullMarked;
