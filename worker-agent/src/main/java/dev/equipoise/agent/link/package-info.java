/** Measures the links between the ranks of a run, and finds the cheapest ring over them. */
@NullMarked
package dev.equipoise.agent.link;

import org.jspecify.annotations.NullMarked;
