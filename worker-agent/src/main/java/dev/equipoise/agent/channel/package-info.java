/**
 * Channels: move segments of memory between the ranks of a run, inside one process or over sockets
 * that authenticate the peer and check every frame.
 */
@NullMarked
package dev.equipoise.agent.channel;

import org.jspecify.annotations.NullMarked;
