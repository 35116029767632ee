/**
 * The parameter server: some ranks keep the weights, each a part, the others compute gradients,
 * which they push, and pull what has come of them; all together in rounds, or each at its own gate.
 */
@NullMarked
package dev.equipoise.agent.server;

import org.jspecify.annotations.NullMarked;
