/**
 * Agreement with neighbours in place of agreement with all: who exchanges with whom, how much each
 * counts, and the exchange itself, whose time does not depend on the number of ranks.
 */
@NullMarked
package dev.equipoise.agent.gossip;

import org.jspecify.annotations.NullMarked;
