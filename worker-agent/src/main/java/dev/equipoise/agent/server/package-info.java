/**
 * Parameter servers: some ranks hold the weights, each a part; the others compute gradients, push
 * them, and pull the result, in rounds or on arrival.
 */
@NullMarked
package dev.equipoise.agent.server;

import org.jspecify.annotations.NullMarked;
