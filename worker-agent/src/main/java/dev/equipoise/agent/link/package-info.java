/**
 * Measures what every link between two ranks of a run costs, and says in which ring the ranks then
 * exchange cheapest.
 */
@NullMarked
package dev.equipoise.agent.link;

import org.jspecify.annotations.NullMarked;
