/** Who else is in the lab, where its data socket is, and who has just been lost. */
@NullMarked
package dev.equipoise.agent.cluster;

import org.jspecify.annotations.NullMarked;
