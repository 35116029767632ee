/**
 * The command line: its entry point, and the commands that read and change what a running service
 * has.
 */
@NullMarked
package dev.equipoise.launcher.client;

import org.jspecify.annotations.NullMarked;
