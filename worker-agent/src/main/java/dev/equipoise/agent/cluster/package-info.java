/** Cluster membership: the other agents of the lab, their data addresses, and lost members. */
@NullMarked
package dev.equipoise.agent.cluster;

import org.jspecify.annotations.NullMarked;
