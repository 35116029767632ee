/**
 * Decentralized averaging (gossip): partner schedules, mixing matrices, and the exchange with
 * partners, whose time does not depend on the number of ranks.
 */
@NullMarked
package dev.equipoise.agent.gossip;

import org.jspecify.annotations.NullMarked;
