/**
 * Networks whose parameters are one flat vector and whose gradient is another: layers see views of
 * them, and whoever exchanges or steps them sees plain memory. Nothing of ND4J leaves this package.
 */
@NullMarked
package dev.equipoise.agent.network;

import org.jspecify.annotations.NullMarked;
