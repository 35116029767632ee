/**
 * Networks with their parameters: one flat vector of parameters, one of gradients, and a list of
 * steps over them that is compiled once for each size of mini-batch.
 */
@NullMarked
package dev.equipoise.agent.network;

import org.jspecify.annotations.NullMarked;
