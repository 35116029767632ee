/**
 * A laboratory on this machine: starts the service and its agents as processes, drives them over
 * the HTTP API as any script would, and shows what comes of it.
 */
@NullMarked
package dev.equipoise.launcher;

import org.jspecify.annotations.NullMarked;
