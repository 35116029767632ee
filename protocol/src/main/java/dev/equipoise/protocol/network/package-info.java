/**
 * Networks before they have weights: layers, the shapes between them, and the presets. The service
 * checks them when a definition arrives, and the agents compile them.
 */
@NullMarked
package dev.equipoise.protocol.network;

import org.jspecify.annotations.NullMarked;
