/** Classes that violate every architecture rule of the agent. */
@NullMarked
package dev.equipoise.agent.wrong;

import org.jspecify.annotations.NullMarked;
