/**
 * Moves segments of memory between the ranks of a run, either inside one process or over sockets of
 * our own that authenticate the peer and check every frame.
 */
@NullMarked
package dev.equipoise.agent.channel;

import org.jspecify.annotations.NullMarked;
