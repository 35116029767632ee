/**
 * Neural networks: flat vectors of parameters and gradients, and steps over them that are compiled
 * once for each batch size.
 */
@NullMarked
package dev.equipoise.agent.network;

import org.jspecify.annotations.NullMarked;
