/**
 * Data sets: found on this host or fetched from their publishers, verified by checksum, read, and
 * divided among ranks and rounds. Data is never made up and never silently replaced.
 */
@NullMarked
package dev.equipoise.agent.dataset;

import org.jspecify.annotations.NullMarked;
