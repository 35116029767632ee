/** Steps as operations of ND4J and plain loops, for platforms without a binary of oneDNN. */
@NullMarked
package dev.equipoise.agent.network.nd4j;

import org.jspecify.annotations.NullMarked;
