/** Classes that cross every border of the agent, to show that the rules catch them. */
@NullMarked
package dev.equipoise.agent.wrong;

import org.jspecify.annotations.NullMarked;
