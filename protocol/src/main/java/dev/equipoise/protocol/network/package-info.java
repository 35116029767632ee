/**
 * Network architectures without weights: layers, shapes and presets. The service checks them in
 * definitions, and the agents compile them.
 */
@NullMarked
package dev.equipoise.protocol.network;

import org.jspecify.annotations.NullMarked;
